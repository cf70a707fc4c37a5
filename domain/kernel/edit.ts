import * as t from 'io-ts';

/** A value before a change and after it. */
export interface Edit<Value> {
  readonly before: Value;
  readonly after: Value;
}

export const editOf = <C extends t.Mixed>(codec: C) => t.type({ before: codec, after: codec });

/**
 * What undoing an edit comes to, by value: `put_back` where the value that the edit left still stands, `already` where
 * the earlier one stands again (or the edit changed nothing), `changed_since` where another one does.
 */
export type Verdict = 'put_back' | 'already' | 'changed_since';

const isSame = (one: unknown, other: unknown): boolean => one === other;

export const verdictOn = <Value>(
  now: Value,
  { before, after }: Edit<Value>,
  same: (one: Value, other: Value) => boolean = isSame,
): Verdict => {
  if (same(before, after) || same(now, before)) return 'already';
  return same(now, after) ? 'put_back' : 'changed_since';
};

/**
 * Two edits of one value as one, the later last. Where something else changed the value in between, the later edit
 * alone counts.
 */
export const mergeEdits = <Value>(
  first: Edit<Value> | null,
  second: Edit<Value> | null,
  same: (one: Value, other: Value) => boolean = isSame,
): Edit<Value> | null => {
  if (first === null || second === null) return first ?? second;
  return same(first.after, second.before) ? { before: first.before, after: second.after } : second;
};
