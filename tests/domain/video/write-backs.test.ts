import { expect } from 'chai';
import { registeredIn } from '../../support/specification.js';
import { at, faceId, runId, speakerId } from '../../support/values.js';
import { audio, decided, matched, ruling, video as undecided } from '../../support/link-decisions.js';
import {
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
  origin,
  proposed,
  queued,
  recordedMatch,
  stored,
  theVideo,
} from '../../support/video-events.js';

const traits = { personality_traits: { calm: 1 } };
const video = completed(face(1, 'Face 1', traits), face(2, 'Zoe'));
const suggested = [...video, queued('r', 'suggest', 0)];
const committing = theVideo.given(...video, queued('r', 'commit', 0));
const named = audioWith([1, 'Ann'], [2, 'Bob']);
const to = (id: number, name: string, accuracy: number) => ({ name, speaker_id: speakerId(id), accuracy });

describe('a write-back with its run id', () => {
  it('of a suggest run stores a block and changes no face', () => {
    const given = theVideo.given(...suggested);
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
    const failure = { mode: 'commit', error: 'out of memory', replaced: [], withdraws_block: false } as const;
    for (const heard of [twoSpeakers, null])
      committing.cases([
        writeBack('r', 10, broken, heard),
        [{ type: 'MatchRunFailed', data: { ...origin('r', 10), ...failure } }],
      ]);
  });

  it('is applied after the stale window if not superseded, and marked as late', () => {
    for (const [seconds, late] of [
      [900, false],
      [900.001, true],
    ] as const)
      expect(theVideo.given(...suggested).events(writeBack('r', seconds, found()))[0]?.data).to.include({
        attribution: 'own',
        late,
        late_write_suspected: false,
      });
  });

  it('of a run that was superseded, has ended or is unknown changes nothing', () => {
    for (const answer of [found(proposed(1, 1)), broken]) {
      theVideo
        .given(...suggested, queued('s', 'commit', 1_000, { supersedes: ['r'] }))
        .cases([writeBack('r', 1_001, answer), { _tag: 'RunSuperseded', run_id: runId('r') }]);
      theVideo
        .given(...suggested, stored(block('r', 10)))
        .cases([writeBack('r', 11, answer), { _tag: 'RunNotOpen', run_id: runId('r') }]);
    }
    theVideo
      .given(...suggested)
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
    decided([change(1, { name: 'Face 1' }, { name: 'Ann', ...matched(1, null) })], [ruling(3, 3)]),
  ];
  const matches = [recordedMatch(1, 2), recordedMatch(3, 3)];
  const contradicting = found(proposed(1, 2), proposed(3, 3));

  it('leaves that out if it is a run’s own, and what a person made as it is', () => {
    const skipped = [
      { face_id: faceId(1), speaker_id: speakerId(2), reason: 'face_confirmed' },
      { face_id: faceId(3), speaker_id: speakerId(3), reason: 'pair_rejected' },
    ] as const;
    theVideo
      .given(...links, queued('r', 'commit', 1))
      .cases(
        [writeBack('r', 20, contradicting, audio), [committed('r', 20, { skipped })]],
        [writeBack('r', 20, found(proposed(1, 1)), audio), [committed('r', 20, { matches: [recordedMatch(1, 1)] })]],
      );
  });
  it('is applied as it is without a run id', () =>
    theVideo.given(...links).cases([
      writeBack(null, 20, contradicting, audio),
      [
        committed('unattributed', 20, {
          attribution: 'unattributed',
          candidate_run_ids: [],
          matches,
          changes: [
            change(2, { name: 'Zoe', ...matched(2) }, { name: 'Zoe' }),
            change(1, { name: 'Ann', ...matched(1, null) }, { name: 'Ann', ...matched(2) }),
            change(3, { name: 'Max' }, { name: 'Max', ...matched(3) }),
          ],
        }),
      ],
    ]));
});
