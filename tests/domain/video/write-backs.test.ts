import { expect } from 'chai';
import type { VideoState } from '../../../domain/video/state.js';
import { registeredIn } from '../../support/specification.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import { audio, decided, matched, ruling, video as undecided } from '../../support/link-decisions.js';
import {
  runFailed,
  broken,
  found,
  trigger,
  twoSpeakers,
  writeBack,
  audioWith,
  block,
  change,
  committed,
  completed,
  face,
  proposed,
  queued,
  recordedMatch,
  stored,
  theVideo,
  renamedFaces,
} from '../../support/video-events.js';

const traits = { personality_traits: { calm: 1 } };
const video = completed(face(1, 'Face 1', traits), face(2, 'Zoe'));
const suggesting = [...video, queued('r', 'suggest', 0)];
const committing = theVideo.given(...video, queued('r', 'commit', 0));
const named = audioWith([1, 'Ann'], [2, 'Bob']);
const to = (id: number, name: string, accuracy: number) => ({ name, speaker_id: speakerId(id), accuracy });

describe('a write-back with its run id', () => {
  it('of a suggest run stores a block and changes no face', () => {
    const given = theVideo.given(...suggesting);
    const { channel, evidence } = proposed(1, 1);
    const mapping = { face_id: faceId(1), speaker_id: speakerId(1), name: 'Ann', accuracy: 0.7, channel, evidence };
    const parts = {
      mappings: [mapping],
      unmatched_speakers: [{ speaker_id: speakerId(2), reason: 'not_matched' }],
      unmatched_faces: [faceId(2)],
    };
    const command = writeBack('r', 10, found(proposed(1, 1, 0.7)), named);
    given.cases([command, [stored(block('r', 10, parts))]]);
    expect(given.after(command)).to.deep.include({ faces: registeredIn(given.state()).faces });
  });

  it('of a commit run changes faces, adopts a real name where there is none, and clears personality data', () =>
    committing.cases(
      [
        writeBack('r', 10, found(proposed(1, 1, 0.7), proposed(2, 2, 0.8)), named),
        [
          committed('r', 10, {
            matches: [recordedMatch(1, 1, 0.7), recordedMatch(2, 2, 0.8)],
            changes: [
              change(1, { name: 'Face 1', ...traits }, to(1, 'Ann', 0.7), ['analysis', 'speaker']),
              change(2, { name: 'Zoe' }, to(2, 'Zoe', 0.8)),
            ],
          }),
        ],
      ],
      [
        writeBack('r', 10, found(proposed(2, 2))),
        [
          committed('r', 10, {
            matches: [recordedMatch(2, 2)],
            changes: [change(2, { name: 'Zoe' }, to(2, 'Zoe', 0.9))],
          }),
        ],
      ],
    ));

  it('that failed ends the run, with or without an audio', () => {
    for (const heard of [twoSpeakers, null]) committing.cases([writeBack('r', 10, broken, heard), [runFailed(10)]]);
  });

  it('is applied after the stale window if not superseded, and marked as late', () => {
    for (const [seconds, late] of [
      [900, false],
      [900.001, true],
    ] as const)
      expect(theVideo.given(...suggesting).events(writeBack('r', seconds, found()))[0]?.data).to.include({
        attribution: 'own',
        late,
        late_write_suspected: false,
      });
  });

  it('of a run that was superseded, has ended or is unknown changes nothing', () => {
    for (const answer of [found(proposed(1, 1)), broken]) {
      theVideo
        .given(...suggesting, queued('s', 'commit', 1_000, { supersedes: ['r'] }))
        .cases([writeBack('r', 1_001, answer), { _tag: 'RunSuperseded', run_id: runId('r') }]);
      theVideo
        .given(...suggesting, stored(block('r', 10)))
        .cases([writeBack('r', 11, answer), { _tag: 'RunNotOpen', run_id: runId('r') }]);
    }
    theVideo
      .given(...suggesting)
      .cases([writeBack('other', 11, found()), { _tag: 'RunNotOpen', run_id: runId('other') }]);
  });

  it('is refused with a face or speaker twice or unknown, a speaker that is no target, and without an audio', () => {
    const of = (...matches: ReadonlyArray<ReturnType<typeof proposed>>) => writeBack('r', 10, found(...matches));
    committing.cases(
      [of(proposed(1, 1), proposed(1, 2)), { _tag: 'DuplicateFace', face_id: faceId(1) }],
      [of(proposed(1, 1), proposed(2, 1)), { _tag: 'DuplicateSpeaker', speaker_id: speakerId(1) }],
      [of(proposed(7, 1)), { _tag: 'InvalidFace', face_id: faceId(7) }],
      [of(proposed(1, 7)), { _tag: 'InvalidSpeaker', speaker_id: speakerId(7) }],
      [writeBack('r', 10, found(proposed(1, 1)), null), { _tag: 'AudioMissing' }],
    );
    theVideo
      .given(...video, queued('r', 'commit', 0, { targets: [1] }))
      .cases([of(proposed(1, 2)), { _tag: 'SpeakerNotTargeted', speaker_id: speakerId(2) }]);
  });

  it('remembers every run that may still answer, however many followed', () => {
    const many = Array.from({ length: 40 }, (_, index) => queued(`c${index}`, 'commit', index));
    const given = theVideo.given(...video, ...many);
    const [event] = given.events(trigger('commit', 100));
    expect(event?.data).to.deep.include({ run_id: runId('new'), at: at(100) });
    given.cases([writeBack('c39', 100, found()), [committed('c39', 100, {})]]);
  });
});

describe('a write-back that contradicts decisions of people', () => {
  const links = [
    ...undecided,
    decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1, null) })], [ruling(3, 3), ruling(2, null)]),
  ];

  it('leaves that out if it is a run’s own, and what a person made as it is', () => {
    const pair = (face: number, speaker: number) => ({ face_id: faceId(face), speaker_id: speakerId(speaker) });
    const skipped = [
      { ...pair(1, 2), reason: 'face_confirmed' },
      { ...pair(2, 1), reason: 'speaker_confirmed' },
      { ...pair(3, 3), reason: 'pair_rejected' },
    ] as const;
    const unseen = [{ ...pair(2, 2), reason: 'speaker_not_seen' }] as const;
    const contradicting = found(proposed(1, 2), proposed(2, 1), proposed(3, 3));
    theVideo
      .given(...links, queued('r', 'commit', 1))
      .cases(
        [writeBack('r', 20, contradicting, audio), [committed('r', 20, { skipped })]],
        [writeBack('r', 20, found(proposed(2, 2)), audio), [committed('r', 20, { skipped: unseen })]],
        [writeBack('r', 20, found(proposed(1, 1)), audio), [committed('r', 20, { matches: [recordedMatch(1, 1)] })]],
      );
  });
  it('updates the accuracy of a match that no person made', () => {
    const [before, after] = [0.9, 0.6].map((accuracy) => ({ name: 'Zoe', ...matched(2, accuracy) }));
    const update = { matches: [recordedMatch(2, 2, 0.6)], changes: [change(2, before ?? {}, after ?? {})] };
    theVideo
      .given(...undecided, queued('r', 'commit', 1))
      .cases([writeBack('r', 20, found(proposed(2, 2, 0.6)), audio), [committed('r', 20, update)]]);
  });
  it('is applied as it is without a run id', () =>
    theVideo.given(...links).cases([
      writeBack(null, 20, found(proposed(1, 2), proposed(3, 3)), audio),
      [
        committed('unattributed', 20, {
          attribution: 'unattributed',
          candidate_run_ids: [],
          matches: [recordedMatch(1, 2), recordedMatch(3, 3)],
          changes: [
            change(2, { name: 'Zoe', ...matched(2) }, { name: 'Zoe' }),
            change(1, { name: 'Ann', ...matched(1, null) }, { name: 'Ann', ...matched(2) }),
            change(3, { name: 'Max' }, { name: 'Max', ...matched(3) }),
          ],
        }),
      ],
    ]));
});

const matchedTo = (speaker: number, name: string, accuracy: number | null = 0.9) => ({
  name,
  speaker_id: speakerId(speaker),
  accuracy,
});
const assumed = (...candidates: ReadonlyArray<string>) => ({
  attribution: 'assumed' as const,
  candidate_run_ids: candidates.map(runId),
});
const twoFaces = completed(face(1, 'Face 1'), face(2, 'Zoe'));
const speakers = audioWith([1, 'Ann'], [2, 'Bob']);
const faceOne = change(1, { name: 'Face 1' }, matchedTo(1, 'Ann'), ['analysis', 'speaker']);
const answerWith = (seconds: number, ...matches: ReadonlyArray<ReturnType<typeof proposed>>) =>
  writeBack(null, seconds, found(...matches), speakers);
/** The commit of face 1 with speaker 1, or of nothing. */
const linked = { matches: [recordedMatch(1, 1)], changes: [faceOne] };
const unlinked = { unmatched_faces: [faceId(1), faceId(2)] };
const unattributed = { attribution: 'unattributed', candidate_run_ids: [] } as const;
const suggested = stored(block('r', 5), assumed('r'));

describe('a write-back without a run id: the stored mode decides', () => {
  it('suggest: stores the block, on the newest run', () =>
    theVideo
      .given(...twoFaces, queued('r', 'suggest', 0))
      .cases([writeBack(null, 10, found(), audioWith()), [stored(block('r', 10, unlinked), assumed('r'))]]));

  it('cleared: changes faces, on the newest run, whatever its targets', () => {
    for (const targets of [{}, { targets: [2] }])
      theVideo
        .given(...twoFaces, queued('r', 'commit', 0, targets))
        .cases([answerWith(10, proposed(1, 1)), [committed('r', 10, { ...assumed('r'), ...linked })]]);
  });

  it("the race: an old suggest run's late answer takes the commit branch, and is suspected", () =>
    theVideo
      .given(...twoFaces, queued('s', 'suggest', 0), queued('r', 'commit', 901, { supersedes: ['s'] }))
      .cases([
        answerWith(902, proposed(1, 1)),
        [committed('r', 902, { ...assumed('s', 'r'), late_write_suspected: true, ...linked })],
      ]));

  it('is also suspected when the stale suggest run is the newest', () => {
    const given = theVideo.given(...twoFaces, queued('s', 'suggest', 0));
    for (const [seconds, late_write_suspected] of [
      [900, false],
      [900.001, true],
    ] as const)
      expect(given.events(answerWith(seconds))[0]?.data).to.include({ late_write_suspected });
  });

  it('is not suspected when only commit runs could have sent it', () =>
    theVideo
      .given(...twoFaces, queued('c', 'commit', 0), queued('r', 'commit', 5_000, { supersedes: ['c'] }))
      .cases([answerWith(5_001), [committed('r', 5_001, assumed('c', 'r'))]]));

  it('without an open run creates a run of its own', () => {
    for (const ended of [[], [queued('r', 'commit', 0), committed('r', 5, {})]])
      theVideo
        .given(...twoFaces, ...ended)
        .cases([answerWith(10, proposed(1, 1)), [committed('unattributed', 10, { ...unattributed, ...linked })]]);
  });

  it('that failed needs a run to fail', () => {
    const failed = writeBack(null, 10, broken);
    theVideo.given(...twoFaces).cases([failed, { _tag: 'NoRunToFail', run_id: null }]);
    theVideo
      .given(...twoFaces, queued('r', 'suggest', 0), suggested)
      .cases([failed, { _tag: 'NoRunToFail', run_id: runId('r') }]);
    theVideo.given(...twoFaces, queued('r', 'commit', 0)).cases([failed, [runFailed(10, assumed('r'))]]);
  });
});

describe('the own answer of a run after an assumed answer', () => {
  const given = [...twoFaces, queued('r', 'commit', 0), committed('r', 10, { ...assumed('r'), ...linked })];
  const back = change(1, matchedTo(1, 'Ann'), { name: 'Face 1' }, ['speaker', 'analysis']);
  const failed = writeBack('r', 20, broken);
  const facesOf = (state: VideoState) =>
    [...registeredIn(state).faces.values()].map(({ face_id, name, speaker_id }) => [face_id, name, speaker_id]);

  it('takes back the assumed changes and applies its own', () => {
    const command = writeBack('r', 20, found(proposed(2, 1, 0.6)), speakers);
    const changes = [change(2, { name: 'Zoe' }, matchedTo(1, 'Zoe', 0.6))];
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
      changes: [change(1, matchedTo(1, 'Ann'), { name: 'Ann' }), change(2, { name: 'Zoe' }, matchedTo(1, 'Zoe'))],
    });
    theVideo.given(...given).cases([failed, [runFailed(20, { replaced: [back] })]]);
    const state = theVideo.given(...given, second).after(failed);
    expect(facesOf(state)).to.deep.equal([
      [1, 'Face 1', null],
      [2, 'Zoe', null],
    ]);
  });

  it('leaves a face that was changed since', () =>
    theVideo.given(...given, renamedFaces(15, [[1, 'Eve', 'Ann', 'speaker']])).cases([failed, [runFailed(20)]]));

  it('removes the assumed block when a suggest run reports a failure', () => {
    const then = theVideo.given(...twoFaces, queued('r', 'suggest', 0), suggested);
    then.cases([failed, [runFailed(20, { mode: 'suggest', withdraws_block: true })]]);
    expect(then.after(failed)).to.deep.include({
      match: { status: 'failed', queued_at: at(0), mode: 'suggest', run_id: runId('r') },
    });
  });

  it('is too late after a newer trigger', () =>
    theVideo
      .given(...given, queued('n', 'commit', 30))
      .cases([writeBack('r', 31, broken), { _tag: 'RunSuperseded', run_id: runId('r') }]));
});
