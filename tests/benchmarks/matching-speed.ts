import type { Interval } from '../../domain/kernel/interval.js';
import { type MatchInput, matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { quick, timed } from './support/figures.js';
import { randomFrom } from '../support/realtime/random.js';
import { faceId, speakerId } from '../support/values.js';

const [faceCount, speakerCount] = [200, 50];
const seconds = 3 * 3600;
const [turnCount, trackCount] = [10_000, 20_000];

interface LongCase {
  /** Whether there are talking scores, at steps of 1 s. */
  readonly withScores: boolean;
  /** The delay of the picture in seconds. If it is not 0, every second track is the speaker's, so that it can be found. */
  readonly late: number;
}

const scene = (time: number): number => Math.floor(time / 120);

const scoresOf = (shots: readonly Interval[], random: () => number) =>
  shots.flatMap(({ start, end }) =>
    Array.from({ length: Math.ceil(end - start) }, (_, s) => ({
      start: start + s,
      end: Math.min(end, start + s + 1),
      score: random(),
    })),
  );

/** 50 speakers who take turns in scenes of a few people, and 200 faces in shots of a few seconds, at random. */
const longCase = ({ withScores, late }: LongCase): MatchInput => {
  const random = randomFrom(1);
  const someone = (time: number, count: number): number =>
    (scene(time) * 7 + Math.floor(random() ** 2 * Math.min(8, count))) % count;
  const turns: Interval[][] = Array.from({ length: speakerCount }, () => []);
  const tracks: Interval[][] = Array.from({ length: faceCount }, () => []);
  for (let n = 0; n < turnCount; n += 1) {
    const start = (n / turnCount) * seconds;
    turns[someone(start, speakerCount)]?.push({ start, end: start + 0.3 + 1.5 * random() });
  }
  const ownTracks = late === 0 ? 0 : turnCount;
  turns.slice(0, ownTracks).forEach((own, id) => {
    for (const { start, end } of own) tracks[id]?.push({ start: start + late, end: end + late });
  });
  for (let n = 0; n < trackCount - ownTracks; n += 1) {
    const start = (n / (trackCount - ownTracks)) * seconds;
    tracks[someone(start, faceCount)]?.push({ start, end: start + 1 + 4 * random() });
  }
  return {
    faces: tracks.map((shots, id) => ({
      face_id: faceId(id),
      name: null,
      tracks: shots,
      talking: withScores ? scoresOf(shots, random) : [],
      captions: [],
    })),
    speakers: turns.map((own, id) => ({ speaker_id: speakerId(id), name: null, turns: own })),
    target_speaker_ids: null,
  };
};

/** How long a match takes, for three hours of 200 faces and 50 speakers. */
const runs = quick ? 5 : 31;

for (const [name, withScores, late] of [
  ['without talking scores', false, 0],
  ['with talking scores', true, 0],
  ['with talking scores, picture 0.2 s late', true, 0.2],
] as const) {
  const input = longCase({ withScores, late });
  const took = timed(runs, () => void matchSpeakersToFaces(input));
  console.log(`3 h, 200 faces, 50 speakers, 10000 turns, 20000 tracks, ${name}: ${took}`);
}
