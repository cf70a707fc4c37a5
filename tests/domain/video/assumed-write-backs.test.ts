import { expect } from 'chai';
import type { VideoState } from '../../../domain/video/state.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { registeredIn } from '../../support/specification.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import {
  broken,
  found,
  writeBack,
  audioWith,
  block,
  change,
  committed,
  completed,
  face,
  origin,
  proposed,
  queued,
  recordedMatch,
  renamedFaces,
  stored,
  theVideo,
} from '../../support/video-events.js';

const matched = (speaker: number, name: string, accuracy: number | null = 0.9) => ({
  name,
  speaker_id: speakerId(speaker),
  accuracy,
});
const assumed = (...candidates: ReadonlyArray<string>) => ({
  attribution: 'assumed' as const,
  candidate_run_ids: candidates.map(runId),
});
/** The run `r` fails, in commit mode unless said otherwise. */
const runFailed = (seconds: number, parts: object, rest: object = {}): VideoEvent => ({
  type: 'MatchRunFailed',
  data: {
    ...origin('r', seconds, parts),
    mode: 'commit',
    error: 'out of memory',
    replaced: [],
    withdraws_block: false,
    ...rest,
  },
});
const video = completed(face(1, 'Face 1'), face(2, 'Zoe'));
const speakers = audioWith([1, 'Ann'], [2, 'Bob']);
const faceOne = change(1, { name: 'Face 1' }, matched(1, 'Ann'), ['analysis', 'speaker']);
const answer = (seconds: number, ...matches: ReadonlyArray<ReturnType<typeof proposed>>) =>
  writeBack(null, seconds, found(...matches), speakers);
/** The commit of face 1 with speaker 1, or of nothing. */
const linked = { matches: [recordedMatch(1, 1)], changes: [faceOne] };
const unlinked = { unmatched_faces: [faceId(1), faceId(2)] };
const unattributed = { attribution: 'unattributed', candidate_run_ids: [] } as const;
const suggested = stored(block('r', 5), assumed('r'));

describe('a write-back without a run id: the stored mode decides', () => {
  it('suggest: stores the block, on the newest run', () =>
    theVideo
      .given(...video, queued('r', 'suggest', 0))
      .cases([writeBack(null, 10, found(), audioWith()), [stored(block('r', 10, unlinked), assumed('r'))]]));

  it('cleared: changes faces, on the newest run, whatever its targets', () => {
    for (const targets of [{}, { targets: [2] }])
      theVideo
        .given(...video, queued('r', 'commit', 0, targets))
        .cases([answer(10, proposed(1, 1)), [committed('r', 10, { ...assumed('r'), ...linked })]]);
  });

  it("the race: an old suggest run's late answer takes the commit branch, and is suspected", () =>
    theVideo
      .given(...video, queued('s', 'suggest', 0), queued('r', 'commit', 901, { supersedes: ['s'] }))
      .cases([
        answer(902, proposed(1, 1)),
        [committed('r', 902, { ...assumed('s', 'r'), late_write_suspected: true, ...linked })],
      ]));

  it('is also suspected when the stale suggest run is the newest', () => {
    const given = theVideo.given(...video, queued('s', 'suggest', 0));
    for (const [seconds, late_write_suspected] of [
      [900, false],
      [900.001, true],
    ] as const)
      expect(given.events(answer(seconds))[0]?.data).to.include({ late_write_suspected });
  });

  it('is not suspected when only commit runs could have sent it', () =>
    theVideo
      .given(...video, queued('c', 'commit', 0), queued('r', 'commit', 5_000, { supersedes: ['c'] }))
      .cases([answer(5_001), [committed('r', 5_001, assumed('c', 'r'))]]));

  it('without an open run creates a run of its own', () => {
    for (const ended of [[], [queued('r', 'commit', 0), committed('r', 5, {})]])
      theVideo
        .given(...video, ...ended)
        .cases([answer(10, proposed(1, 1)), [committed('unattributed', 10, { ...unattributed, ...linked })]]);
  });

  it('that failed needs a run to fail', () => {
    const failed = writeBack(null, 10, broken);
    theVideo.given(...video).cases([failed, { _tag: 'NoRunToFail', run_id: null }]);
    theVideo
      .given(...video, queued('r', 'suggest', 0), suggested)
      .cases([failed, { _tag: 'NoRunToFail', run_id: runId('r') }]);
    theVideo.given(...video, queued('r', 'commit', 0)).cases([failed, [runFailed(10, assumed('r'))]]);
  });
});

describe('the own answer of a run after an assumed answer', () => {
  const given = [...video, queued('r', 'commit', 0), committed('r', 10, { ...assumed('r'), ...linked })];
  const back = change(1, matched(1, 'Ann'), { name: 'Face 1' }, ['speaker', 'analysis']);
  const failed = writeBack('r', 20, broken);
  const facesOf = (state: VideoState) =>
    [...registeredIn(state).faces.values()].map(({ face_id, name, speaker_id }) => [face_id, name, speaker_id]);

  it('takes back the assumed changes and applies its own', () => {
    const command = writeBack('r', 20, found(proposed(2, 1, 0.6)), speakers);
    const changes = [change(2, { name: 'Zoe' }, matched(1, 'Zoe', 0.6))];
    const then = theVideo.given(...given);
    then.cases([command, [committed('r', 20, { matches: [recordedMatch(2, 1, 0.6)], replaced: [back], changes })]]);
    expect(facesOf(then.after(command))).to.deep.equal([
      [1, 'Face 1', null],
      [2, 'Zoe', 1],
    ]);
  });

  it('takes them back when the run reports a failure, of several assumed answers too', () => {
    const second = committed('r', 12, {
      ...assumed('r'),
      changes: [change(1, matched(1, 'Ann'), { name: 'Ann' }), change(2, { name: 'Zoe' }, matched(1, 'Zoe'))],
    });
    theVideo.given(...given).cases([failed, [runFailed(20, {}, { replaced: [back] })]]);
    const state = theVideo.given(...given, second).after(failed);
    expect(facesOf(state)).to.deep.equal([
      [1, 'Face 1', null],
      [2, 'Zoe', null],
    ]);
  });

  it('leaves a face that was changed since', () =>
    theVideo.given(...given, renamedFaces(15, [[1, 'Eve', 'Ann', 'speaker']])).cases([failed, [runFailed(20, {})]]));

  it('removes the assumed block when a suggest run reports a failure', () => {
    const then = theVideo.given(...video, queued('r', 'suggest', 0), suggested);
    then.cases([failed, [runFailed(20, {}, { mode: 'suggest', withdraws_block: true })]]);
    expect(then.after(failed)).to.deep.include({
      match: { status: 'failed', queued_at: at(0), mode: 'suggest', run_id: runId('r') },
    });
  });

  it('is too late after a newer trigger', () =>
    theVideo
      .given(...given, queued('n', 'commit', 30))
      .cases([writeBack('r', 31, broken), { _tag: 'RunSuperseded', run_id: runId('r') }]));
});
