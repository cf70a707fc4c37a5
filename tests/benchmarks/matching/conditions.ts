import type { Interval } from '../../../domain/kernel/interval.js';
import type { FaceTrack, MatchInput } from '../../../domain/matching/match-speakers-to-faces.js';
import type { Clip } from './clips.js';
import { seeded } from './random.js';
import { mixedSpeakers } from './mixed-speakers.js';
import { type Truth, truthOf } from './truth.js';

export interface Noise {
  readonly misses: number;
  readonly falseAlarms: number;
}

export interface Condition {
  readonly name: string;
  readonly noise: Noise | null;
  /** The share of speakers that are split or merged. */
  readonly mixed: number;
  /** The delay of the tracks in seconds. */
  readonly late: number;
}

const t20 = { misses: 0.2, falseAlarms: 0.05 };
const t40 = { misses: 0.4, falseAlarms: 0.1 };

export const conditions: readonly Condition[] = [
  { name: 'V', noise: null, mixed: 0, late: 0 },
  { name: 'T20', noise: t20, mixed: 0, late: 0 },
  { name: 'T40', noise: t40, mixed: 0, late: 0 },
  { name: 'V mixed', noise: null, mixed: 0.2, late: 0 },
  { name: 'T20 mixed', noise: t20, mixed: 0.2, late: 0 },
  { name: 'V late', noise: null, mixed: 0, late: 0.2 },
  { name: 'T20 late', noise: t20, mixed: 0, late: 0.2 },
];

export interface Trial {
  readonly input: MatchInput;
  readonly truth: Truth;
}

const sharedSeconds = (a: Interval, b: Interval): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));

const interval = ([start, end]: readonly [number, number]): Interval => ({ start, end });

/** The talking labels of one visible stretch at steps of 1 s, with misses and false alarms. */
const heardThrough = (visible: Interval, talking: readonly Interval[], noise: Noise, random: () => number) =>
  Array.from({ length: Math.ceil(visible.end - visible.start - 1e-9) }, (_, n) => {
    const step = { start: visible.start + n, end: Math.min(visible.end, visible.start + n + 1) };
    const talks = talking.reduce((sum, part) => sum + sharedSeconds(step, part), 0) >= (step.end - step.start) / 2;
    const chance = random();
    return { ...step, score: (talks ? chance >= noise.misses : chance < noise.falseAlarms) ? 1 : 0 };
  });

const faceOf = (face: Clip['faces'][number], condition: Condition, random: () => number): FaceTrack => {
  const late = ({ start, end, ...rest }: Interval) => ({
    ...rest,
    start: start + condition.late,
    end: end + condition.late,
  });
  const { noise } = condition;
  const scores = face.tracks.flatMap((track) =>
    noise === null
      ? []
      : track.visible.flatMap((v) => heardThrough(interval(v), track.talking.map(interval), noise, random)),
  );
  return {
    face_id: face.face_id,
    name: null,
    tracks: face.tracks.flatMap(({ visible }) => visible.map(interval)).map(late),
    talking: scores.map((step) => ({ ...late(step), score: step.score })),
    captions: [],
  };
};

/** A clip under a condition; the same for the same seed. */
export const trialOf = (clip: Clip, condition: Condition, seed: number): Trial => {
  const random = seeded(seed);
  const faces = clip.faces.map((face) => faceOf(face, condition, random));
  const speakers = mixedSpeakers(clip, condition.mixed, random);
  return {
    input: {
      faces,
      speakers: speakers.map(({ speaker_id, turns }) => ({ speaker_id, name: null, turns })),
      target_speaker_ids: null,
    },
    truth: truthOf(clip, speakers),
  };
};
