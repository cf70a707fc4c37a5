import { toMicrosecond } from './fields.js';
import type { Interval } from './imported.js';

/** Collects points in time as intervals. The order in which points are added does not matter. */
export class Sightings {
  /** First and last point of each interval, in ascending order. */
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  readonly #joined: number;

  /** @param joinSeconds two points at most this far apart, with nothing between them, belong to one interval. */
  constructor(joinSeconds: number) {
    this.#joined = joinSeconds + 1e-6;
  }

  add(at: number): void {
    const after = this.#countStartingUpTo(at);
    const joinsLeft = after > 0 && at - (this.#lasts[after - 1] ?? 0) <= this.#joined;
    const joinsRight = after < this.#firsts.length && (this.#firsts[after] ?? 0) - at <= this.#joined;
    if (joinsLeft && joinsRight) {
      this.#firsts.splice(after, 1);
      this.#lasts.splice(after - 1, 1);
    } else if (joinsLeft) {
      this.#lasts[after - 1] = Math.max(this.#lasts[after - 1] ?? at, at);
    } else if (joinsRight) {
      this.#firsts[after] = at;
    } else {
      this.#firsts.splice(after, 0, at);
      this.#lasts.splice(after, 0, at);
    }
  }

  /** The intervals in ascending order, extended by these seconds, limited to 0 and later. */
  intervals(before: number, after: number): ReadonlyArray<Interval> {
    return this.#firsts.map((first, index) => ({
      start: Math.max(0, toMicrosecond(first - before)),
      end: toMicrosecond((this.#lasts[index] ?? first) + after),
    }));
  }

  /** The number of intervals that consist of one point. */
  singles(): number {
    return this.#firsts.filter((first, index) => first === this.#lasts[index]).length;
  }

  #countStartingUpTo(at: number): number {
    const { length } = this.#firsts;
    if (length === 0 || (this.#firsts[length - 1] ?? 0) <= at) return length;
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#firsts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
