import { matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { longCase } from './matching/long-case.js';
import { median, quick } from './support/figures.js';

/** How long a match takes, for three hours of 200 faces and 50 speakers. */
const runs = quick ? 5 : 31;

for (const withScores of [false, true]) {
  const input = longCase(withScores);
  const walls = Array.from({ length: runs }, () => {
    const start = performance.now();
    matchSpeakersToFaces(input);
    return performance.now() - start;
  });
  console.log(
    `3 h, 200 faces, 50 speakers, 10000 turns, 20000 tracks, ${withScores ? 'with' : 'without'} talking scores: ` +
      `median ${median(walls).toFixed(1)} ms, fastest ${Math.min(...walls).toFixed(1)} ms of ${runs} runs`,
  );
}
