/** Rows that were used lately. */
export interface Recent<Row> {
  readonly get: (key: string) => Kept<Row> | undefined;
  readonly set: (key: string, row: Row, size: number) => void;
  readonly clear: () => void;
}

interface Kept<Row> {
  readonly row: Row;
  readonly size: number;
}

/**
 * Keeps rows whose sizes are `room` in all, twice at most: when the newer half is full, it takes the place of the older
 * half, and what was not used since is forgotten. That costs less than an exact order of use.
 */
export const createRecent = <Row>(room: number): Recent<Row> => {
  let newer = new Map<string, Kept<Row>>();
  let older: ReadonlyMap<string, Kept<Row>> = new Map();
  let taken = 0;
  const keep = (key: string, kept: Kept<Row>): void => {
    if (taken + kept.size > room) {
      older = newer;
      newer = new Map();
      taken = 0;
    }
    newer.set(key, kept);
    taken += kept.size;
  };
  return {
    get: (key) => {
      const known = newer.get(key);
      if (known !== undefined) return known;
      const old = older.get(key);
      if (old !== undefined) keep(key, old);
      return old;
    },
    set: (key, row, size) => keep(key, { row, size }),
    clear: () => {
      newer = new Map();
      older = new Map();
      taken = 0;
    },
  };
};
