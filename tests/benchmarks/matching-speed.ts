import { type MatchInput, matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { faceId, speakerId } from './matching/ids.js';
import { seeded } from './matching/random.js';

const [hours, faceCount, speakerCount, turnCount, trackCount, runs] = [3, 200, 50, 10_000, 20_000, 31];

const scene = (time: number): number => Math.floor(time / 120);

/** Alternating speakers in scenes of a few people, faces in shots of a few seconds, talking scores at 1 s. */
const longCase = (withScores: boolean): MatchInput => {
  const random = seeded(1);
  const seconds = hours * 3600;
  const someone = (time: number, count: number): number =>
    (scene(time) * 7 + Math.floor(random() ** 2 * Math.min(8, count))) % count;
  const turns: { start: number; end: number }[][] = Array.from({ length: speakerCount }, () => []);
  const tracks: { start: number; end: number }[][] = Array.from({ length: faceCount }, () => []);
  for (let n = 0; n < turnCount; n += 1) {
    const start = (n / turnCount) * seconds;
    turns[someone(start, speakerCount)]?.push({ start, end: start + 0.3 + 1.5 * random() });
  }
  for (let n = 0; n < trackCount; n += 1) {
    const start = (n / trackCount) * seconds;
    tracks[someone(start, faceCount)]?.push({ start, end: start + 1 + 4 * random() });
  }
  const scoresOf = (shots: readonly { start: number; end: number }[]) =>
    shots.flatMap(({ start, end }) =>
      Array.from({ length: Math.ceil(end - start) }, (_, s) => ({
        start: start + s,
        end: Math.min(end, start + s + 1),
        score: random(),
      })),
    );
  return {
    faces: tracks.map((shots, id) => ({
      face_id: faceId(id),
      name: null,
      tracks: shots,
      talking: withScores ? scoresOf(shots) : [],
      captions: [],
    })),
    speakers: turns.map((own, id) => ({ speaker_id: speakerId(id), name: null, turns: own })),
    target_speaker_ids: null,
  };
};

const millisecondsOf = (input: MatchInput): number => {
  const start = performance.now();
  matchSpeakersToFaces(input);
  return performance.now() - start;
};

for (const withScores of [false, true]) {
  const input = longCase(withScores);
  const times = Array.from({ length: runs }, () => millisecondsOf(input));
  const sorted = [...times].sort((a, b) => a - b);
  const scores = input.faces.reduce((sum, { talking }) => sum + talking.length, 0);
  console.log(
    `${hours} h, ${faceCount} faces, ${speakerCount} speakers, ${turnCount} turns, ${trackCount} tracks, ${scores} scores: ` +
      `median ${(sorted[Math.floor(runs / 2)] ?? 0).toFixed(1)} ms, first ${(times[0] ?? 0).toFixed(1)} ms, ` +
      `fastest ${(sorted[0] ?? 0).toFixed(1)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(1)} ms of ${runs} runs`,
  );
}
