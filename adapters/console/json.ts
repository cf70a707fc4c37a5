/** What came as JSON of no known shape, as events and runs are told. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One field of it; undefined where there is none. */
export const fieldOf = (value: unknown, name: string): unknown => (isFields(value) ? value[name] : undefined);

/** The items of a list that have fields. */
export const listOf = (value: unknown): ReadonlyArray<Fields> => (Array.isArray(value) ? value.filter(isFields) : []);
