/** A difference between two values. `before` or `after` is undefined if missing. */
export interface Difference {
  /** Such as `faces[2].name`; empty for the value itself. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : null;

const under = (path: string, key: string, isList: boolean): string => {
  if (isList) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
};

/** The differences of two JSON values, as deep as their structure is equal. */
export const differences = (before: unknown, after: unknown, path = ''): ReadonlyArray<Difference> => {
  if (Object.is(before, after)) return [];
  const [old, young] = [fieldsOf(before), fieldsOf(after)];
  if (old === null || young === null || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }];
  return [...new Set([...Object.keys(old), ...Object.keys(young)])].flatMap((key) =>
    differences(old[key], young[key], under(path, key, Array.isArray(after))),
  );
};
