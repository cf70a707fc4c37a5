import * as t from 'io-ts';

/** A value before a change and after it. */
export interface Edit<Value> {
  readonly before: Value;
  readonly after: Value;
}

export const editOf = <C extends t.Mixed>(codec: C) => t.type({ before: codec, after: codec });

/**
 * Whether an edit can be undone, by comparing values: `put_back` if the current value is the edit's result, `already`
 * if the value before the edit is current (or the edit changed nothing), `changed_since` if there is another value.
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
 * Combines two successive edits of one value. If something else changed the value in between, only the later edit
 * counts.
 */
export const mergeEdits = <Value>(
  first: Edit<Value> | null,
  second: Edit<Value> | null,
  same: (one: Value, other: Value) => boolean = isSame,
): Edit<Value> | null => {
  if (first === null || second === null) return first ?? second;
  return same(first.after, second.before) ? { before: first.before, after: second.after } : second;
};

/** Combines two successive lists of changes of things: one change for each. */
export const mergeByKey = <Change>(
  first: ReadonlyArray<Change>,
  second: ReadonlyArray<Change>,
  keyOf: (change: Change) => number | string,
  merge: (first: Change, second: Change) => Change,
): ReadonlyArray<Change> => {
  const merged = new Map(first.map((change) => [keyOf(change), change]));
  for (const change of second) {
    const earlier = merged.get(keyOf(change));
    merged.set(keyOf(change), earlier === undefined ? change : merge(earlier, change));
  }
  return [...merged.values()];
};

export const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The change back. */
export const inverted = <Value>({ before, after }: Edit<Value>): Edit<Value> => ({ before: after, after: before });

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

/** A change cannot be undone: faces or speakers that it touches have other numbers since, or are gone. */
export interface RenumberedSince {
  readonly _tag: 'NotRevertible';
  readonly reason: 'renumbered';
}

/** A revert that the linked record (video or audio) carries out in part. */
export interface SharedRevert {
  readonly change_id: string;
  /** Revision of the linked record when the revert was decided. */
  readonly other_revision: number;
}

/** How many are remembered. Requests that undo the same change concurrently arrive shortly after each other. */
const remembered = 16;

export const withSharedRevert = (
  reverts: ReadonlyArray<SharedRevert>,
  revert: SharedRevert,
): ReadonlyArray<SharedRevert> => [...reverts.slice(1 - remembered), revert];

/**
 * Whether the linked record's part is already in progress: another revert of the same change was decided at this
 * revision of that record or a later one.
 */
export const isInProgress = (
  reverts: ReadonlyArray<SharedRevert>,
  change_id: string,
  other_revision: number,
): boolean => reverts.some((one) => one.change_id === change_id && one.other_revision >= other_revision);
