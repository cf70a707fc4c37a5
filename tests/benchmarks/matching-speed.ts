import { matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { longCase } from './matching/long-case.js';
import { quick, timed } from './support/figures.js';

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
