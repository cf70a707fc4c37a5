/** Whole numbers of 32 bits, the same for the same seed (xorshift). */
function* numbers(seed: number): Generator<number, number> {
  for (let state = seed | 1; ;) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

/** Resolves once nothing goes on by itself, without a turn. */
const quiet = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export interface Turns {
  /** Resolves when it is the caller's turn: until then anything else may happen. */
  readonly wait: () => Promise<void>;
  /** Gives turns, one at a time, until this is so. */
  readonly giveUntil: (isDone: () => boolean) => Promise<void>;
  /** Gives turns until nobody waits for one. */
  readonly giveAll: () => Promise<void>;
}

/** Turns in the order that the seed has. */
export const turnsOf = (seed: number): Turns => {
  const choices = numbers(seed);
  const waiting: Array<() => void> = [];
  const giveUntil = async (isDone: () => boolean): Promise<void> => {
    for (await quiet(); !isDone(); await quiet()) {
      const [next] = waiting.splice(choices.next().value % waiting.length, 1);
      if (next === undefined) throw new Error('everybody waits for something else than a turn');
      next();
    }
  };
  return {
    wait: () => new Promise((resolve) => void waiting.push(resolve)),
    giveUntil,
    giveAll: () => giveUntil(() => waiting.length === 0),
  };
};
