/** The columns of a result's rows, as they came out of the database. */
export const columnsOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : []);
