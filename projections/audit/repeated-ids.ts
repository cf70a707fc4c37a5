/** Finds ids that occur twice among millions, in eight bytes each. */
export interface RepeatedIds {
  readonly take: (id: string) => void;
  /**
   * Tells, in a second reading, whether an id was there before. Null when no id can have been, which the first reading
   * tells in all but rare cases.
   */
  readonly second: () => ((id: string) => boolean) | null;
}

/** 52 bits of a UUID, the same for upper and lower case; any other text gives some number too. */
const numberOf = (id: string): number => {
  const digits = Number.parseInt(id.replaceAll('-', '').slice(-13), 16);
  return Number.isNaN(digits) ? id.length : digits;
};

export const createRepeatedIds = (): RepeatedIds => {
  let numbers = new Float64Array(1_024);
  let count = 0;
  const grown = (): Float64Array<ArrayBuffer> => {
    const larger = new Float64Array(numbers.length * 2);
    larger.set(numbers);
    return larger;
  };
  return {
    take: (id) => {
      if (count === numbers.length) numbers = grown();
      numbers[count] = numberOf(id);
      count += 1;
    },
    second: () => {
      const sorted = numbers.slice(0, count).sort();
      const suspected = new Set(sorted.filter((number, index) => index > 0 && number === sorted[index - 1]));
      if (suspected.size === 0) return null;
      const seen = new Set<string>();
      return (id) => {
        if (!suspected.has(numberOf(id))) return false;
        const repeated = seen.has(id);
        seen.add(id);
        return repeated;
      };
    },
  };
};
