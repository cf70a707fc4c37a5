import * as t from 'io-ts';
import type { Tagged } from './decider.js';

/** A value before a change and after it. */
export interface Edit<Value> {
  readonly before: Value;
  readonly after: Value;
}

export const editOf = <C extends t.Mixed>(codec: C) => t.type({ before: codec, after: codec });

export const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The edit back. */
export const inverted = <E extends Edit<unknown>>(edit: E): E => ({ ...edit, before: edit.after, after: edit.before });

/** The edit that undoes another one by value: null if that one's result is not current any more, or it changed nothing. */
export const undoing = <E extends Edit<unknown>>(now: unknown, edit: E | null): E | null =>
  edit === null || sameJson(edit.before, edit.after) || !sameJson(now, edit.after) ? null : inverted(edit);

/** Whether a value is neither the result of an edit nor the value before it. */
export const isChangedSince = (now: unknown, edit: Edit<unknown> | null): boolean =>
  edit !== null && ![edit.before, edit.after].some((value) => sameJson(now, value));

/**
 * Combines two successive edits of one value. If something else changed the value in between, only the later edit
 * counts.
 */
export const mergeEdits = <E extends Edit<unknown>>(first: E, second: E): E =>
  sameJson(first.after, second.before) ? { ...second, before: first.before } : second;

/** The same of edits that may be missing. */
export const mergeIfAny = <E extends Edit<unknown>>(first: E | null, second: E | null): E | null =>
  first === null || second === null ? (first ?? second) : mergeEdits(first, second);

/** Combines successive changes of things: one change for each thing. */
export const mergeByKey = <Change>(
  changes: ReadonlyArray<Change>,
  keyOf: (change: Change) => number | string,
  merge: (first: Change, second: Change) => Change,
): ReadonlyArray<Change> => {
  const merged = new Map<number | string, Change>();
  for (const change of changes) {
    const earlier = merged.get(keyOf(change));
    merged.set(keyOf(change), earlier === undefined ? change : merge(earlier, change));
  }
  return [...merged.values()];
};

/** Names fields of a face, a speaker, a tag or of the record itself. The id of a tag is its key. */
export const RecordFields = t.type(
  {
    record: t.keyof({ face: null, speaker: null, tag: null, video: null, audio: null }),
    id: t.union([t.number, t.string]),
    fields: t.readonlyArray(t.string),
  },
  'RecordFields',
);
export type RecordFields = t.TypeOf<typeof RecordFields>;

/** One entry, or none if `fields` is empty. */
export const fieldsOf = (
  record: RecordFields['record'],
  id: number | string,
  fields: ReadonlyArray<string>,
): ReadonlyArray<RecordFields> => (fields.length === 0 ? [] : [{ record, id, fields }]);

/** The changes of a revert, from the current to the restored values. */
export interface Undone<Changes> {
  readonly changes: Changes;
  /** Fields that were changed since or can no longer be restored. */
  readonly changed_since: ReadonlyArray<RecordFields>;
}

/** A change cannot be undone: faces or speakers that it touches have other numbers since, or are gone. */
export type RenumberedSince = Tagged<'NotRevertible', { reason: 'renumbered' }>;
