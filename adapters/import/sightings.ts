import { toMicrosecond } from './fields.js';
import type { Stretch } from './imported.js';

/** Points in time, kept only as the stretches that they form; any order of arrival forms the same stretches. */
export class Sightings {
  /** First and last point of each stretch, in ascending order. */
  readonly #firsts: number[] = [];
  readonly #lasts: number[] = [];
  readonly #joined: number;

  /** @param joinSeconds two points at most this far apart, with nothing between them, belong to one stretch. */
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

  /** The stretches in ascending order, each widened by these seconds, none before 0. */
  stretches(before: number, after: number): ReadonlyArray<Stretch> {
    return this.#firsts.map((first, index) => ({
      start: Math.max(0, toMicrosecond(first - before)),
      end: toMicrosecond((this.#lasts[index] ?? first) + after),
    }));
  }

  /** How many stretches consist of one point in time. */
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
