/** 32-bit integers, the same for the same seed (xorshift). */
function* randomNumbers(seed: number): Generator<number, number> {
  for (let state = seed | 1; ;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

/** Resolves once all work waits for a turn. */
const untilIdle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface Turns {
  /** Resolves when it is the caller's turn; other callers may go first. */
  readonly wait: () => Promise<void>;
  /** Gives turns, one at a time, until the condition holds. */
  readonly giveUntil: (isDone: () => boolean) => Promise<void>;
  /** Gives turns until nobody waits for one. */
  readonly giveAll: () => Promise<void>;
}

/** Turns in an order that follows from the seed. */
export const turnsOf = (seed: number): Turns => {
  const choices = randomNumbers(seed);
  const waiting: Array<() => void> = [];
  const giveUntil = async (isDone: () => boolean): Promise<void> => {
    for (await untilIdle(); !isDone(); await untilIdle()) {
      const [next] = waiting.splice(choices.next().value % waiting.length, 1);
      if (next === undefined) throw new Error('nothing waits for a turn, but the work is not done');
      next();
    }
  };
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    giveUntil,
    giveAll: () => giveUntil(() => waiting.length === 0),
  };
};
