/** Rows that were used lately. */
export interface Recent<Row> {
  readonly get: (key: string) => Row | undefined;
  readonly set: (key: string, row: Row, size: number) => void;
  readonly clear: () => void;
}

/** Keeps rows until their sizes are more than `room` in all; those that were not used for longest go first. */
export const createRecent = <Row>(room: number): Recent<Row> => {
  const kept = new Map<string, { readonly row: Row; readonly size: number }>();
  let taken = 0;
  const remove = (key: string): void => {
    taken -= kept.get(key)?.size ?? 0;
    kept.delete(key);
  };
  return {
    get: (key) => {
      const found = kept.get(key);
      if (found === undefined) return undefined;
      kept.delete(key);
      kept.set(key, found);
      return found.row;
    },
    set: (key, row, size) => {
      remove(key);
      kept.set(key, { row, size });
      taken += size;
      for (const oldest of kept.keys()) {
        if (taken <= room) break;
        remove(oldest);
      }
    },
    clear: () => {
      kept.clear();
      taken = 0;
    },
  };
};
