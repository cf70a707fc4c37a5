import { type Presence, continuations } from '../../domain/matching/continuations.js';
import { merged } from '../../domain/matching/intervals.js';
import { randomFrom } from '../support/realtime/random.js';
import { quick, timed } from './support/figures.js';

/* How long the comparison of a newer analysis with the one before takes, at the limits: 200,000 intervals. */

const intervals = quick ? 20_000 : 200_000;
const runs = quick ? 3 : 9;
const seconds = 4 * 3_600;

/** Intervals of `together` ids at a time, and the same with blurred edges under other numbers. */
const caseOf = (ids: number, together: number) => {
  const random = randomFrom(ids + together);
  const length = (seconds * together) / intervals;
  const exact = Array.from({ length: ids }, (_, id) => ({
    id,
    times: Array.from({ length: intervals / ids }, () => {
      const start = random() * (seconds - length);
      return { start, end: start + length * (0.5 + random()) };
    }),
  }));
  const blur = (): number => (random() - 0.5) * length * 0.2;
  const earlier: ReadonlyArray<Presence> = exact.map(({ id, times }) => ({ id, present: merged(times) }));
  const newer: ReadonlyArray<Presence> = exact.map(({ id, times }) => ({
    id: ids - 1 - id,
    present: merged(
      times.map(({ start, end }) => {
        const from = Math.max(0, start + blur());
        return { start: from, end: Math.max(from, end + blur()) };
      }),
    ),
  }));
  return { earlier, newer };
};

/** All ids all the time, each a little different: the longest comparison that there is. */
const crowd = (ids: number) => {
  const random = randomFrom(ids);
  const once = (): ReadonlyArray<Presence> =>
    Array.from({ length: ids }, (_, id) => ({
      id,
      present: merged(
        Array.from({ length: intervals / ids }, (__, n) => ({ start: n * 10 + 0.1 * random(), end: n * 10 + 9 })),
      ),
    }));
  return { earlier: once(), newer: once() };
};

const cases = [
  ['2,000 faces, 20 at a time', () => caseOf(2_000, 20)],
  ['1,000 speakers, 2 at a time', () => caseOf(1_000, 2)],
  ['2,000 faces, all the time, each a little different', () => crowd(2_000)],
] as const;

for (const [name, make] of cases) {
  const { earlier, newer } = make();
  let continued = 0;
  const took = timed(runs, () => (continued = continuations(earlier, newer).length));
  console.log(`${name}, ${intervals} intervals on each side: ${took}; ${continued} ids continue`);
}
