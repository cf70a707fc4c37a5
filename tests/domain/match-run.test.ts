import { expect } from 'chai';
import type {
  FollowVideo,
  MatchRunCommand,
  MatchRunEvent,
  NoteLateWriteBack,
} from '../../domain/match-run/contract.js';
import { matchRun } from '../../domain/match-run/decider.js';
import type { FaceChange } from '../../domain/video/face.js';
import { specification } from '../support/specification.js';
import { at, audioId, runId, speakerId, videoId } from '../support/values.js';
import { change, recordedMatch } from '../support/video-events.js';

const run = specification(matchRun, (command: MatchRunCommand) => (command.type === 'FollowVideo' ? command : null));

type Told = FollowVideo['event'];
const told = (event: Told): FollowVideo => ({ type: 'FollowVideo', event });

const started: Told = {
  type: 'MatchRunStarted',
  data: {
    video_revision: 2,
    run_id: runId('r'),
    video_id: videoId('v'),
    audio_id: audioId('a'),
    mode: 'commit',
    target_speaker_ids: null,
    at: at(0),
  },
};
const booked = (video_revision: number) => ({
  video_revision,
  attribution: 'own' as const,
  candidate_run_ids: [runId('r')],
  late_write_suspected: false,
  late: false,
  at: at(5),
});
const committed = (
  revision: number,
  changes: ReadonlyArray<FaceChange>,
  replaced: ReadonlyArray<FaceChange> = [],
): Told => ({ type: 'MatchRunCommitted', data: { ...booked(revision), replaced, changes } });
const superseded: Told = { type: 'MatchRunSuperseded', data: { video_revision: 4, by: runId('s'), at: at(5) } };

const first = change(1, { name: 'Face 1' }, { name: 'Ann', speaker_id: speakerId(1), accuracy: 0.9 });
const second = change(1, first.after, { name: 'Ann', speaker_id: speakerId(2), accuracy: 0.8 });

describe('what a match run is told of', () => {
  const tellings: ReadonlyArray<Told> = [
    started,
    { type: 'MatchRunSuggested', data: { ...booked(3), suggested: 2 } },
    committed(3, [first]),
    { type: 'MatchRunFailureNoted', data: { ...booked(3), error: 'broken', replaced: [] } },
    superseded,
    { type: 'MatchRunUndone', data: { video_revision: 6, changes: [first], at: at(9) } },
  ];
  tellings.forEach((event) => {
    it(`it keeps: ${event.type}`, () => run.given().when(told(event)).then(event));
    it(`it keeps once: ${event.type}`, () => run.given(started, event).when(told(event)).thenNothing());
  });

  it('adds up to what its write-backs changed', () => {
    const { state } = run.given(started, committed(3, [first]), committed(4, [second]));
    expect(state().changes).to.deep.equal([{ ...second, before: first.before, named_by: first.named_by }]);
  });
  it('is without what its own answer took back', () => {
    const back = change(1, first.after, first.before);
    const own = change(2, {}, { speaker_id: speakerId(1), accuracy: 0.5 });
    const { state } = run.given(started, committed(3, [first]), committed(4, [own], [back]));
    expect(state().changes).to.deep.equal([own]);
  });
  it('keeps what was reverted, for that may be undone in turn: the faces tell what there is to revert', () => {
    const undone: Told = {
      type: 'MatchRunUndone',
      data: { video_revision: 6, changes: [change(1, first.after, first.before)], at: at(9) },
    };
    expect(run.given(started, committed(3, [first]), undone).state().changes).to.deep.equal([first]);
  });
});

describe('a write-back that changes nothing', () => {
  const arrival = (parts: Partial<NoteLateWriteBack> = {}): NoteLateWriteBack => ({
    type: 'NoteLateWriteBack',
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
  it('is an event of the run that ended', () => run.given(started).when(arrival()).then(arrived('run_ended')));
  it('is an event of the run that was superseded', () =>
    run.given(started, superseded).when(arrival()).then(arrived('run_superseded')));
  it('has the reason that the video gave', () =>
    run
      .given(started)
      .when(arrival({ reason: 'nothing_to_fail' }))
      .then(arrived('nothing_to_fail')));
  it('is refused for a run that is not there', () => run.given().when(arrival()).thenRefused({ _tag: 'UnknownRun' }));
  it('is refused for a run of another video', () =>
    run
      .given(started)
      .when(arrival({ video_id: videoId('w') }))
      .thenRefused({ _tag: 'UnknownRun' }));
});
