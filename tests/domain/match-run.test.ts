import { expect } from 'chai';
import type {
  IgnoredReason,
  RecordAnswer,
  MatchRunCommand,
  MatchRunEvent,
  RecordLateWriteBack,
  StartRun,
} from '../../domain/match-run/contract.js';
import { matchRun } from '../../domain/match-run/decider.js';
import type { FaceChange } from '../../domain/video/changes.js';
import { specification } from '../support/specification.js';
import { at, speakerId, videoId } from '../support/values.js';
import { change, recordedMatch } from '../support/video-events.js';
import {
  failureNoted,
  ids,
  lateArrival,
  runCommitted,
  runStarted,
  runSuggested,
  runSuperseded,
  runUndone,
} from '../support/match-run-events.js';

const run = specification(matchRun, (command: MatchRunCommand) =>
  command.type === 'RecordLateWriteBack' ? null : command,
);

const started = runStarted();
const start: StartRun = { ...started.data, type: 'StartRun' };
const book = (answer: RecordAnswer['answer']): RecordAnswer => ({ type: 'RecordAnswer', ...ids, answer });
const superseding: MatchRunCommand = { ...runSuperseded.data, type: 'SupersedeRun' };
const reverting = (changes: ReadonlyArray<FaceChange>): MatchRunCommand => ({
  ...runUndone(6, changes).data,
  type: 'RecordRevert',
  video_id: videoId('v'),
});

const first = change(1, { name: 'Face 1' }, { name: 'Ann', speaker_id: speakerId(1), accuracy: 0.9 });
const second = change(1, first.after, { name: 'Ann', speaker_id: speakerId(2), accuracy: 0.8 });

describe('events of a match run’s video', () => {
  const answers = [runSuggested(3), runCommitted(3, [first], { replaced: [second] }), failureNoted(3, [first])];
  const cases: ReadonlyArray<readonly [MatchRunCommand, MatchRunEvent]> = [
    [start, started],
    ...answers.map((answer) => [book(answer), answer] as const),
    [superseding, runSuperseded],
    [reverting([first]), runUndone(6, [first])],
  ];
  cases.forEach(([command, event]) => {
    it(`it records: ${event.type}`, () => run.given().cases([command, [event]]));
    it(`it records once: ${event.type}`, () => run.given(started, event).cases([command, []]));
  });

  describe('an answer that belongs to no run', () => {
    const attribution = 'unattributed';
    for (const [mode, answer] of [
      ['suggest', runSuggested(3, { attribution })],
      ['commit', runCommitted(3, [first], { attribution })],
    ] as const) {
      const own = runStarted({ video_revision: 3, mode, target_speaker_ids: null, at: answer.data.at });
      it(`starts one: ${mode}`, () => run.given().cases([book(answer), [own, answer]]));
      it(`is booked on one that was started before a crash: ${mode}`, () =>
        run.given(own).cases([book(answer), [answer]]));
    }
  });

  it('accumulates the changes of its write-backs', () => {
    const { state } = run.given(started, runCommitted(3, [first]), runCommitted(4, [second]));
    expect(state().changes).to.deep.equal([{ ...second, before: first.before, named_by: first.named_by }]);
  });
  it('drops changes that its own answer took back', () => {
    const back = change(1, first.after, first.before);
    const own = change(2, {}, { speaker_id: speakerId(1), accuracy: 0.5 });
    const { state } = run.given(started, runCommitted(3, [first]), runCommitted(4, [own], { replaced: [back] }));
    expect(state().changes).to.deep.equal([own]);
  });
  it('keeps reverted changes, since the revert may be undone in turn', () => {
    const undone = runUndone(6, [change(1, first.after, first.before)]);
    expect(run.given(started, runCommitted(3, [first]), undone).state().changes).to.deep.equal([first]);
  });
});

describe('the events of a match run', () => {
  const media = ['video-v', 'audio-a'];
  const about = (command: MatchRunCommand, ...given: ReadonlyArray<MatchRunEvent>) =>
    matchRun.about?.(run.given(...given).state(), runSuperseded, command);

  it('concern the media that it was started for, or that the command names, or nobody', () => {
    expect(about(superseding, started)).to.deep.equal(media);
    expect(about(book(runSuggested(3)))).to.deep.equal(media);
    expect(about(reverting([]))).to.deep.equal(['video-v']);
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
  const arrived = (reason: IgnoredReason) => lateArrival({ reason, matches: [recordedMatch(1, 1)], at: at(9) });
  it('is an event of the run that ended, or was superseded', () => {
    run.given(started).cases([arrival(), [arrived('run_ended')]]);
    run.given(started, runSuperseded).cases([arrival(), [arrived('run_superseded')]]);
  });
  it('has the reason given by the video', () =>
    run.given(started).cases([arrival({ reason: 'nothing_to_fail' }), [arrived('nothing_to_fail')]]));
  it('is refused for an unknown run, and for one of another video', () => {
    run.given().cases([arrival(), { _tag: 'UnknownRun' }]);
    run.given(started).cases([arrival({ video_id: videoId('w') }), { _tag: 'UnknownRun' }]);
  });
});
