import { expect } from 'chai';
import type {
  RecordAnswer,
  MatchRunCommand,
  MatchRunEvent,
  RecordLateWriteBack,
  StartRun,
} from '../../domain/match-run/contract.js';
import { matchRun } from '../../domain/match-run/decider.js';
import type { FaceChange } from '../../domain/video/changes.js';
import { certainOrigin } from '../../domain/video/write-back.js';
import { specification } from '../support/specification.js';
import { at, audioId, runId, speakerId, videoId } from '../support/values.js';
import { change, recordedMatch } from '../support/video-events.js';

const run = specification(matchRun, (command: MatchRunCommand) =>
  command.type === 'RecordLateWriteBack' ? null : command,
);

const ids = { run_id: runId('r'), video_id: videoId('v'), audio_id: audioId('a') };
const start: StartRun = {
  type: 'StartRun',
  video_revision: 2,
  ...ids,
  mode: 'commit',
  target_speaker_ids: null,
  at: at(0),
};
const started: MatchRunEvent = {
  type: 'MatchRunStarted',
  data: { video_revision: 2, ...ids, mode: 'commit', target_speaker_ids: null, at: at(0) },
};
const origin = certainOrigin(runId('r'), 'own');
const book = (answer: RecordAnswer['answer']): RecordAnswer => ({ type: 'RecordAnswer', ...ids, answer });
const suggested = (by = origin): RecordAnswer['answer'] => ({
  type: 'MatchRunSuggested',
  data: { video_revision: 3, ...by, at: at(5), suggested: 2 },
});
const committed = (
  video_revision: number,
  changes: ReadonlyArray<FaceChange>,
  replaced: ReadonlyArray<FaceChange> = [],
  by = origin,
): RecordAnswer['answer'] => ({
  type: 'MatchRunCommitted',
  data: { video_revision, ...by, at: at(5), replaced, changes },
});
const superseded: MatchRunEvent = {
  type: 'MatchRunSuperseded',
  data: { video_revision: 4, by: runId('s'), at: at(5) },
};

const first = change(1, { name: 'Face 1' }, { name: 'Ann', speaker_id: speakerId(1), accuracy: 0.9 });
const second = change(1, first.after, { name: 'Ann', speaker_id: speakerId(2), accuracy: 0.8 });

describe('events of a match run’s video', () => {
  const failed: RecordAnswer['answer'] = {
    type: 'MatchRunFailureNoted',
    data: { video_revision: 3, ...origin, at: at(5), error: 'broken', replaced: [first] },
  };
  const cases: ReadonlyArray<readonly [MatchRunCommand, MatchRunEvent]> = [
    [start, started],
    ...[suggested(), committed(3, [first], [second]), failed].map((answer) => [book(answer), answer] as const),
    [{ type: 'SupersedeRun', video_revision: 4, by: runId('s'), at: at(5) }, superseded],
    [
      { type: 'RecordRevert', video_id: videoId('v'), video_revision: 6, changes: [first], at: at(9) },
      { type: 'MatchRunUndone', data: { video_revision: 6, changes: [first], at: at(9) } },
    ],
  ];
  cases.forEach(([command, event]) => {
    it(`it records: ${event.type}`, () => run.given().cases([command, [event]]));
    it(`it records once: ${event.type}`, () => run.given(started, event).cases([command, []]));
  });

  describe('an answer that belongs to no run', () => {
    const unattributed = { ...origin, attribution: 'unattributed' as const };
    for (const [mode, answer] of [
      ['suggest', suggested(unattributed)],
      ['commit', committed(3, [first], [], unattributed)],
    ] as const) {
      const data = { video_revision: 3, ...ids, mode, target_speaker_ids: null, at: at(5) };
      const own: MatchRunEvent = { type: 'MatchRunStarted', data };
      it(`starts one: ${mode}`, () => run.given().cases([book(answer), [own, answer]]));
      it(`is booked on one that was started before a crash: ${mode}`, () =>
        run.given(own).cases([book(answer), [answer]]));
    }
  });

  it('accumulates the changes of its write-backs', () => {
    const { state } = run.given(started, committed(3, [first]), committed(4, [second]));
    expect(state().changes).to.deep.equal([{ ...second, before: first.before, named_by: first.named_by }]);
  });
  it('drops changes that its own answer took back', () => {
    const back = change(1, first.after, first.before);
    const own = change(2, {}, { speaker_id: speakerId(1), accuracy: 0.5 });
    const { state } = run.given(started, committed(3, [first]), committed(4, [own], [back]));
    expect(state().changes).to.deep.equal([own]);
  });
  it('keeps reverted changes, since the revert may be undone in turn', () => {
    const undone: MatchRunEvent = {
      type: 'MatchRunUndone',
      data: { video_revision: 6, changes: [change(1, first.after, first.before)], at: at(9) },
    };
    expect(run.given(started, committed(3, [first]), undone).state().changes).to.deep.equal([first]);
  });
});

describe('the events of a match run', () => {
  const media = ['video-v', 'audio-a'];
  const superseding: MatchRunCommand = { type: 'SupersedeRun', video_revision: 4, by: runId('s'), at: at(5) };
  const reverting: MatchRunCommand = {
    type: 'RecordRevert',
    video_id: videoId('v'),
    video_revision: 6,
    changes: [],
    at: at(9),
  };
  const about = (command: MatchRunCommand, ...given: ReadonlyArray<MatchRunEvent>) =>
    matchRun.about?.(run.given(...given).state(), superseded, command);

  it('concern the media that it was started for, or that the command names, or nobody', () => {
    expect(about(superseding, started)).to.deep.equal(media);
    expect(about(book(suggested()))).to.deep.equal(media);
    expect(about(reverting)).to.deep.equal(['video-v']);
    expect(about(superseding)).to.deep.equal([]);
  });
});

describe('a write-back that changes nothing', () => {
  const arrival = (parts: Partial<RecordLateWriteBack> = {}): RecordLateWriteBack => ({
    type: 'RecordLateWriteBack',
    video_id: videoId('v'),
    reason: null,
    status: 'completed',
    matches: [recordedMatch(1, 1)],
    error: null,
    at: at(9),
    ...parts,
  });
  const arrived = (reason: 'run_superseded' | 'run_ended' | 'nothing_to_fail'): MatchRunEvent => ({
    type: 'LateWriteBackArrived',
    data: { reason, status: 'completed', matches: [recordedMatch(1, 1)], error: null, at: at(9) },
  });
  it('is an event of the run that ended, or was superseded', () => {
    run.given(started).cases([arrival(), [arrived('run_ended')]]);
    run.given(started, superseded).cases([arrival(), [arrived('run_superseded')]]);
  });
  it('has the reason given by the video', () =>
    run.given(started).cases([arrival({ reason: 'nothing_to_fail' }), [arrived('nothing_to_fail')]]));
  it('is refused for an unknown run, and for one of another video', () => {
    run.given().cases([arrival(), { _tag: 'UnknownRun' }]);
    run.given(started).cases([arrival({ video_id: videoId('w') }), { _tag: 'UnknownRun' }]);
  });
});
