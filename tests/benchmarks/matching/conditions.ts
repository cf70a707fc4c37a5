import type { Interval } from '../../../domain/kernel/interval.js';
import type { FaceTrack, MatchInput } from '../../../domain/matching/match-speakers-to-faces.js';
import type { Clip, Diarisation } from './clips.js';
import { diarisedSpeakers } from './diarised-speakers.js';
import { randomFrom } from '../../support/realtime/random.js';
import { mixedSpeakers } from './mixed-speakers.js';
import { type Truth, truthOf } from './truth.js';
import { windowsOf } from './windows.js';

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
  /** The diarisation whose turns are used instead of the true ones. */
  readonly diarisation: Diarisation | null;
  /** The length in seconds of the windows into which clips are cut. */
  readonly window: number | null;
}

const t20 = { misses: 0.2, falseAlarms: 0.05 };
const t40 = { misses: 0.4, falseAlarms: 0.1 };

const plain: Condition = { name: 'V', noise: null, mixed: 0, late: 0, diarisation: null, window: null };

export const conditions: readonly Condition[] = [
  plain,
  { ...plain, name: 'T20', noise: t20 },
  { ...plain, name: 'T40', noise: t40 },
  { ...plain, name: 'V mixed', mixed: 0.2 },
  { ...plain, name: 'T20 mixed', noise: t20, mixed: 0.2 },
  { ...plain, name: 'V late', late: 0.2 },
  { ...plain, name: 'T20 late', noise: t20, late: 0.2 },
  { ...plain, name: 'H46', diarisation: 'H46' },
  { ...plain, name: 'H61', diarisation: 'H61' },
  { ...plain, name: 'H46 T20', noise: t20, diarisation: 'H46' },
  { ...plain, name: 'S60', window: 60 },
  { ...plain, name: 'S120', window: 120 },
  { ...plain, name: 'T40 mixed', noise: t40, mixed: 0.2 },
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

const trialOf = (clip: Clip, condition: Condition, seed: number): Trial => {
  const random = randomFrom(seed);
  const faces = clip.faces.map((face) => faceOf(face, condition, random));
  const { diarisation } = condition;
  const speakers =
    diarisation === null ? mixedSpeakers(clip, condition.mixed, random) : diarisedSpeakers(clip, diarisation);
  return {
    input: {
      faces,
      speakers: speakers.map(({ speaker_id, turns }) => ({ speaker_id, name: null, turns })),
      target_speaker_ids: null,
    },
    truth: truthOf(clip, speakers),
  };
};

/** The trials of a clip under a condition, one for each window; none if the clip has no such turns. */
export const trialsOf = (clip: Clip, condition: Condition, seed: number): readonly Trial[] => {
  if (condition.diarisation !== null && clip.hypotheses === null) return [];
  const parts = condition.window === null ? [clip] : windowsOf(clip, condition.window);
  return parts.map((part) => trialOf(part, condition, seed));
};
