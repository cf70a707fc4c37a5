import { type MatchInput, matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { intervalsOfThreeHours, longCase } from './matching/long-case.js';
import { quick } from './support/figures.js';

/** How long a match takes, for three hours of 200 faces and 50 speakers, and by the number of turns and tracks. */
const runs = quick ? 5 : 31;
const sizes = quick ? [1_000, 10_000, 30_000] : [1_000, 10_000, 30_000, 100_000, 300_000, 1_000_000];

const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);

/** Milliseconds on the clock and of the processor (all threads, the collector's included), each the median of runs. */
const timed = (input: MatchInput, times: number) => {
  const measured = Array.from({ length: times }, () => {
    const [start, used] = [performance.now(), process.cpuUsage()];
    matchSpeakersToFaces(input);
    const wall = performance.now() - start;
    const { user, system } = process.cpuUsage(used);
    return { wall, cpu: (user + system) / 1000 };
  });
  const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[times >> 1] ?? 0;
  const walls = measured.map(({ wall }) => wall);
  return {
    median: median(walls),
    fastest: Math.min(...walls),
    first: walls[0] ?? 0,
    cpu: median(measured.map(({ cpu }) => cpu)),
  };
};

for (const [name, withScores, late] of [
  ['without talking scores', false, 0],
  ['with talking scores', true, 0],
  ['with talking scores, picture 0.2 s late', true, 0.2],
] as const) {
  const { median, fastest, first, cpu } = timed(longCase({ intervals: intervalsOfThreeHours, withScores, late }), runs);
  console.log(
    `3 h, 200 faces, 50 speakers, 10000 turns, 20000 tracks, ${name}: median ${median.toFixed(1)} ms, fastest ` +
      `${fastest.toFixed(1)} ms, first ${first.toFixed(1)} ms of ${runs} runs; processor ${cpu.toFixed(1)} ms`,
  );
}

console.log(
  '\nturns and tracks, without scores | fastest ms | µs an interval | peak memory of the process MB, input of it',
);
for (const intervals of sizes) {
  const before = process.memoryUsage().heapUsed;
  const input = longCase({ intervals, withScores: false, late: 0 });
  const held = process.memoryUsage().heapUsed - before;
  const { fastest } = timed(input, intervals > 100_000 ? 3 : 7);
  const peak = process.resourceUsage().maxRSS * 1024;
  const each = ((fastest * 1000) / intervals).toFixed(2);
  console.log(`${intervals} | ${fastest.toFixed(1)} | ${each} | ${megabytes(peak)}, ${megabytes(Math.max(0, held))}`);
}
