import * as t from 'io-ts';
import type { Compare } from '../../application/ports/matcher.js';
import { type Presence, continuations } from '../../domain/matching/continuations.js';
import type { Threads } from '../runtime/threads.js';

/** The input of a comparison, as it is posted to another thread. */
export interface Comparison {
  readonly earlier: ReadonlyArray<Presence>;
  readonly newer: ReadonlyArray<Presence>;
}

const Continuations = t.readonlyArray(t.type({ from: t.number, to: t.number, seconds: t.number }));

/** Up to as many overlaps are compared in this thread: they take 20 ms at most. */
const fewOverlaps = 2_000_000;

const intervalsOf = (all: ReadonlyArray<Presence>): number =>
  all.reduce((sum, { present }) => sum + present.starts.length, 0);

/** Each interval overlaps with each id's at least once, if all are present all the time. */
const isSmall = ({ earlier, newer }: Comparison): boolean =>
  (intervalsOf(earlier) + intervalsOf(newer)) * Math.max(earlier.length, newer.length) <= fewOverlaps;

/** Compares analyses: small ones in this thread, large ones in a worker thread, or here if that fails. */
export const threadedComparison =
  (threads: Pick<Threads, 'run'>): Compare =>
  <Id extends number>(earlier: ReadonlyArray<Presence<Id>>, newer: ReadonlyArray<Presence<Id>>) =>
  async () => {
    const input: Comparison = { earlier, newer };
    if (isSmall(input)) return continuations(earlier, newer);
    try {
      const found = await threads.run({
        work: 'compare',
        lane: 'short',
        input,
        result: Continuations,
        timeoutMs: 60_000,
      });
      const ids = new Map<number, Id>([...earlier, ...newer].map(({ id }) => [id, id]));
      return found.flatMap(({ from, to, seconds }) => {
        const [before, after] = [ids.get(from), ids.get(to)];
        return before === undefined || after === undefined ? [] : [{ from: before, to: after, seconds }];
      });
    } catch {
      return continuations(earlier, newer);
    }
  };
