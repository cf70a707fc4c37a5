import type { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { Interval } from '../../../domain/kernel/interval.js';
import { merged, forEachOverlap, sharedSeconds } from '../../../domain/matching/intervals.js';
import type { FaceTrack, MatchInput } from '../../../domain/matching/match-speakers-to-faces.js';
import type { Clip, Diarisation } from './clips.js';
import { randomFrom } from '../../support/realtime/random.js';
import { speakerId } from '../../support/values.js';

type Verdict = 'right' | 'wrong' | 'left_out';

export interface Truth {
  /** The number of links to be found. */
  readonly links: number;
  readonly offscreen: ReadonlySet<SpeakerId>;
  readonly verdict: (face: FaceId, speaker: SpeakerId) => Verdict;
}

/**
 * The truth about a clip. A link to a face that never speaks is wrong when the speaker is known not to be it, or is
 * never seen at all, and is left out of the count otherwise. A speaker that mixes people is right with the face of
 * each, wrong only with a face that is none of theirs, and never seen when none of them is.
 */
const truthOf = (clip: Clip, speakers: readonly HeardSpeaker[]): Truth => {
  const faces = new Map(clip.faces.map((face) => [face.face_id, face]));
  const people = new Map(speakers.map((speaker) => [speaker.speaker_id, speaker.people]));
  const gold = new Set(clip.gold.map(({ face_id, speaker_id }) => `${face_id}:${speaker_id}`));
  const unseen = new Set(clip.offscreen_speakers);
  return {
    links: clip.gold.length,
    offscreen: new Set(speakers.filter((s) => s.people.every((p) => unseen.has(p))).map((s) => s.speaker_id)),
    verdict: (face, speaker) => {
      const persons = people.get(speaker) ?? [];
      if (persons.some((person) => gold.has(`${face}:${person}`))) return 'right';
      const seen = faces.get(face);
      if (seen?.kind !== 'silent') return 'wrong';
      const notThem = new Set(seen.not_speakers ?? []);
      return persons.every((person) => notThem.has(person) || unseen.has(person)) ? 'wrong' : 'left_out';
    },
  };
};

/** A speaker of a diarisation, and the true speakers whose speech it contains. */
interface HeardSpeaker {
  readonly speaker_id: SpeakerId;
  readonly turns: readonly Interval[];
  readonly people: readonly SpeakerId[];
}

const halves = (speaker: HeardSpeaker, random: () => number): readonly HeardSpeaker[] => {
  const marked = speaker.turns.map((turn) => ({ turn, first: random() < 0.5 }));
  const part = (first: boolean): readonly Interval[] => marked.filter((m) => m.first === first).map(({ turn }) => turn);
  return [
    { ...speaker, turns: part(true) },
    { ...speaker, speaker_id: speakerId(speaker.speaker_id + 10_000), turns: part(false) },
  ];
};

/**
 * The speakers of a clip with simulated diarisation errors: each chosen one is, with even
 * chances, split turn by turn into two, or merged with one that was not chosen. A half without turns is dropped.
 */
const mixedSpeakers = (clip: Clip, share: number, random: () => number): readonly HeardSpeaker[] => {
  const speakers = clip.speakers.map(({ speaker_id, segments }) => ({
    speaker_id,
    turns: segments.map(([start, end]) => ({ start, end })),
    people: [speaker_id],
  }));
  if (share === 0) return speakers;
  const dice = speakers.map((speaker) => ({ speaker, chosen: random() < share, split: random() < 0.5 }));
  let spared: readonly HeardSpeaker[] = dice.filter(({ chosen }) => !chosen).map(({ speaker }) => speaker);
  const split: HeardSpeaker[] = [];
  for (const { speaker } of dice.filter((die) => die.chosen && !die.split)) {
    const into = spared[Math.floor(random() * spared.length)];
    if (into === undefined) split.push(speaker);
    else
      spared = spared.map((s) =>
        s === into ? { ...s, turns: [...s.turns, ...speaker.turns], people: [...s.people, ...speaker.people] } : s,
      );
  }
  for (const { speaker } of dice.filter((die) => die.chosen && die.split)) split.push(...halves(speaker, random));
  return [...spared, ...split].filter(({ turns }) => turns.length > 0);
};

const turnsOf = (segments: readonly (readonly [number, number])[]) => segments.map(([start, end]) => ({ start, end }));

/**
 * The speakers of a diarisation with errors. Each stands for the true speaker who says most of what it says, or for
 * nobody if it has no speech.
 */
const diarisedSpeakers = (clip: Clip, diarisation: Diarisation): readonly HeardSpeaker[] =>
  (clip.hypotheses?.[diarisation] ?? []).map(({ speaker_id, segments }) => {
    const heard = merged(turnsOf(segments));
    const shares = clip.speakers.map((speaker) => {
      const own = merged(turnsOf(speaker.segments));
      let seconds = 0;
      forEachOverlap(heard, own, (a, b) => (seconds += sharedSeconds(heard, a, own, b)));
      return { person: speaker.speaker_id, seconds };
    });
    const [most] = shares.filter(({ seconds }) => seconds > 0).sort((a, b) => b.seconds - a.seconds);
    return { speaker_id, turns: turnsOf(segments), people: most === undefined ? [] : [most.person] };
  });

type Stretch = readonly [number, number];

/** Talking less than this many seconds in a window is no link to be found. */
const enough = 0.3;

const cut = (stretches: readonly Stretch[], [from, to]: Stretch): [number, number][] =>
  stretches.flatMap(([start, end]): [number, number][] =>
    Math.min(end, to) > Math.max(start, from) ? [[Math.max(start, from), Math.min(end, to)]] : [],
  );

const seconds = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, [start, end]) => sum + end - start, 0);

/**
 * The part of a clip in a window. A link is to be found if the face is seen talking for 0.3 s. A face that is seen,
 * but hardly talks, is no mistake for its own speaker, who then is neither to be found nor off screen.
 */
const partOf = (clip: Clip, window: Stretch): Clip => {
  const speakers = clip.speakers
    .map((speaker) => ({ ...speaker, segments: cut(speaker.segments, window) }))
    .filter(({ segments }) => segments.length > 0);
  const speakerOf = new Map(clip.gold.map(({ face_id, speaker_id }) => [face_id, speaker_id]));
  const faces = clip.faces
    .map((face): Clip['faces'][number] => {
      const tracks = face.tracks
        .map(({ visible, talking }) => ({ visible: cut(visible, window), talking: cut(talking, window) }))
        .filter(({ visible }) => visible.length > 0);
      const own = speakerOf.get(face.face_id);
      if (own === undefined || seconds(tracks.flatMap(({ talking }) => talking)) >= enough) return { ...face, tracks };
      const others = clip.speakers.map(({ speaker_id }) => speaker_id).filter((id) => id !== own);
      return { ...face, tracks, kind: 'silent', not_speakers: others };
    })
    .filter(({ tracks }) => tracks.length > 0);
  const seen = new Set(faces.map(({ face_id }) => face_id));
  const talking = new Set(faces.filter(({ kind }) => kind === 'speaking').map(({ face_id }) => face_id));
  const heard = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const visibleOnes = clip.gold.filter(({ face_id }) => seen.has(face_id)).map(({ speaker_id }) => speaker_id);
  const unseen = clip.gold.map(({ speaker_id }) => speaker_id).filter((id) => !visibleOnes.includes(id));
  return {
    ...clip,
    speakers,
    faces,
    gold: clip.gold.filter(({ face_id, speaker_id }) => talking.has(face_id) && heard.has(speaker_id)),
    offscreen_speakers: [...clip.offscreen_speakers, ...unseen].filter((id) => heard.has(id)),
  };
};

/** A clip cut into windows of a length in seconds, those with speech. */
const windowsOf = (clip: Clip, length: number): readonly Clip[] => {
  const times = [
    ...clip.speakers.flatMap(({ segments }) => segments),
    ...clip.faces.flatMap(({ tracks }) => tracks.flatMap(({ visible }) => visible)),
  ];
  const [start, end] = [Math.min(...times.map((time) => time[0])), Math.max(...times.map((time) => time[1]))];
  return Array.from({ length: Math.ceil((end - start) / length) }, (_, n) =>
    partOf(clip, [start + n * length, start + (n + 1) * length]),
  ).filter(({ speakers }) => speakers.length > 0);
};

interface Noise {
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

const secondsOfBoth = (a: Interval, b: Interval): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));

const interval = ([start, end]: readonly [number, number]): Interval => ({ start, end });

/** The talking labels of one visible stretch at steps of 1 s, with misses and false alarms. */
const heardThrough = (visible: Interval, talking: readonly Interval[], noise: Noise, random: () => number) =>
  Array.from({ length: Math.ceil(visible.end - visible.start - 1e-9) }, (_, n) => {
    const step = { start: visible.start + n, end: Math.min(visible.end, visible.start + n + 1) };
    const talks = talking.reduce((sum, part) => sum + secondsOfBoth(step, part), 0) >= (step.end - step.start) / 2;
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
