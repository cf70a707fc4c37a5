import * as t from 'io-ts';
import { nullable } from '../kernel/recorded-event.js';
import { FaceId, SpeakerId } from '../kernel/ids.js';

/**
 * What people ruled out, by speaker: a face, or (as null) that the speaker is visible at all. Confirmed links are not
 * kept here: they are matches without accuracy, which override these entries.
 */
export type RuledOut = ReadonlyMap<SpeakerId, ReadonlySet<FaceId | null>>;

/**
 * Whether a pair was ruled out before and after a change. Without a face: whether the speaker was ruled out as visible.
 */
export const RuledOutEdit = t.type(
  { speaker_id: SpeakerId, face_id: nullable(FaceId), before: t.boolean, after: t.boolean },
  'RuledOutEdit',
);
export type RuledOutEdit = t.TypeOf<typeof RuledOutEdit>;

export const nothingRuledOut: RuledOut = new Map();

export const isRuledOut = (ruled: RuledOut, speaker_id: SpeakerId, face_id: FaceId | null): boolean =>
  ruled.get(speaker_id)?.has(face_id) === true;

export const withRuledOut = (ruled: RuledOut, edits: ReadonlyArray<RuledOutEdit>): RuledOut => {
  if (edits.length === 0) return ruled;
  const next = new Map(ruled);
  const own = new Map<SpeakerId, Set<FaceId | null>>();
  for (const { speaker_id, face_id, after } of edits) {
    const faces = own.get(speaker_id) ?? new Set(next.get(speaker_id));
    own.set(speaker_id, faces);
    if (after) faces.add(face_id);
    else faces.delete(face_id);
    if (faces.size > 0) next.set(speaker_id, faces);
    else next.delete(speaker_id);
  }
  return next;
};

/** The edits that reach the wanted entries, without those that change nothing. */
export const editsToReach = (
  ruled: RuledOut,
  wanted: ReadonlyArray<Pick<RuledOutEdit, 'speaker_id' | 'face_id' | 'after'>>,
): ReadonlyArray<RuledOutEdit> =>
  wanted.flatMap(({ speaker_id, face_id, after }) => {
    const before = isRuledOut(ruled, speaker_id, face_id);
    return before === after ? [] : [{ speaker_id, face_id, before, after }];
  });

/** Maximum number of entries per video: they are part of its record, which is read and written as a whole. */
export const maxRuledOut = 10_000;

/** Whether edits add entries beyond the maximum. */
export const exceedsMaxRuledOut = (ruled: RuledOut, edits: ReadonlyArray<RuledOutEdit>): boolean => {
  const more = edits.reduce((sum, { after }) => sum + (after ? 1 : -1), 0);
  return more > 0 && more + [...ruled.values()].reduce((sum, { size }) => sum + size, 0) > maxRuledOut;
};

/** The inverse of edits. */
export const invertRuledOutEdits = (edits: ReadonlyArray<RuledOutEdit>): ReadonlyArray<RuledOutEdit> =>
  edits.map(({ before, after, ...pair }) => ({ ...pair, before: after, after: before }));

/** The edits that undo others, for entries that were not changed since. */
export const revertRuledOutEdits = (ruled: RuledOut, edits: ReadonlyArray<RuledOutEdit>): ReadonlyArray<RuledOutEdit> =>
  invertRuledOutEdits(
    edits.filter(({ speaker_id, face_id, after }) => isRuledOut(ruled, speaker_id, face_id) === after),
  );

/** Combines two successive lists of edits. */
export const mergeRuledOut = (
  first: ReadonlyArray<RuledOutEdit>,
  second: ReadonlyArray<RuledOutEdit>,
): ReadonlyArray<RuledOutEdit> => {
  const keyOf = ({ speaker_id, face_id }: RuledOutEdit) => `${speaker_id}/${face_id}`;
  const merged = new Map(first.map((edit) => [keyOf(edit), edit]));
  for (const edit of second) {
    const before = merged.get(keyOf(edit))?.before ?? edit.before;
    merged.set(keyOf(edit), { ...edit, before });
  }
  return [...merged.values()].filter(({ before, after }) => before !== after);
};

/** Drops the entries of a speaker that no longer exists. */
export const forgetRuledOutSpeaker = (ruled: RuledOut, speaker_id: SpeakerId): RuledOut =>
  ruled.has(speaker_id) ? new Map([...ruled].filter(([other]) => other !== speaker_id)) : ruled;

/** Follows faces or speakers that got other numbers; entries of those that are gone are dropped. */
export const followRuledOut = (
  ruled: RuledOut,
  followSpeaker: (speaker_id: SpeakerId) => SpeakerId | null,
  followFace: (face_id: FaceId) => FaceId | null,
): RuledOut =>
  new Map(
    [...ruled].flatMap(([earlier, ruledFaces]) => {
      const speaker_id = followSpeaker(earlier);
      const left = [...ruledFaces].flatMap((face_id) => (face_id === null ? [null] : (followFace(face_id) ?? [])));
      return speaker_id === null || left.length === 0 ? [] : [[speaker_id, new Set(left)]];
    }),
  );

/** For a link confirmed by a person: clears what ruled it out. */
export const clearRuledOut = ({
  face_id,
  speaker_id,
}: {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}) => [
  { speaker_id, face_id, after: false },
  { speaker_id, face_id: null, after: false },
];
