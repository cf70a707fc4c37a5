import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import type { FaceTrack, MatchInput, SpeakerTurns } from '../../../domain/matching/match-speakers-to-faces.js';
import { faceId, speakerId } from '../../support/values.js';

export const spans = (...pairs: readonly (readonly [number, number])[]): readonly Interval[] =>
  pairs.map(([start, end]) => ({ start, end }));

export const face = (id: number, tracks: readonly Interval[], more: Partial<FaceTrack> = {}): FaceTrack => ({
  face_id: faceId(id),
  name: null,
  tracks,
  talking: [],
  captions: [],
  ...more,
});

export const speaker = (id: number, turns: readonly Interval[], name: string | null = null): SpeakerTurns => ({
  speaker_id: speakerId(id),
  name,
  turns,
});

/** Times at eighths of a second, so that sums of them are exact. */
const eighths = (most: number): fc.Arbitrary<number> => fc.integer({ min: 0, max: most * 8 }).map((n) => n / 8);

export const anyInterval: fc.Arbitrary<Interval> = fc
  .tuple(eighths(60), eighths(8))
  .map(([start, length]) => ({ start, end: start + length }));

export const anyIntervals = fc.array(anyInterval, { maxLength: 8 });

const anyName = fc.constantFrom(null, 'Ann Lee', 'ann  lee', 'Bob Ray', 'Face 1', 'Speaker 2', '');

const anyTalking = fc.array(
  fc.record({ at: anyInterval, score: eighths(1) }).map(({ at, score }) => ({ ...at, score })),
  { maxLength: 6 },
);

const anyFace = fc.record({ id: fc.nat(40), tracks: anyIntervals, talking: anyTalking, name: anyName });
const anySpeaker = fc.record({ id: fc.nat(40), turns: anyIntervals, name: anyName });

/** Any input, unsorted, overlapping and empty intervals included; half of the time with targets. */
export const anyInput: fc.Arbitrary<MatchInput> = fc
  .record({
    faces: fc.uniqueArray(anyFace, { maxLength: 6, selector: ({ id }) => id }),
    speakers: fc.uniqueArray(anySpeaker, { maxLength: 5, selector: ({ id }) => id }),
    targeted: fc.option(fc.func(fc.boolean())),
  })
  .map(({ faces, speakers, targeted }) => ({
    faces: faces.map(({ id, tracks, talking, name }) => face(id, tracks, { talking, name })),
    speakers: speakers.map(({ id, turns, name }) => speaker(id, turns, name)),
    target_speaker_ids:
      targeted === null ? null : speakers.filter(({ id }) => targeted(id)).map(({ id }) => speakerId(id)),
  }));
