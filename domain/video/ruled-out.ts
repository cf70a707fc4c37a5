import * as t from 'io-ts';
import { nullable } from '../kernel/event-codecs.js';
import { FaceId, SpeakerId } from '../kernel/ids.js';

/**
 * What people ruled out, by speaker: that a face is theirs or, as null, that they are to be seen at all. What people
 * confirmed is not kept here: it is the face's match, which has no accuracy then. While such a match stands, it counts.
 */
export type RuledOut = ReadonlyMap<SpeakerId, ReadonlySet<FaceId | null>>;

/** Whether a pair was ruled out, before a change and after it; without a face: that the speaker is to be seen. */
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

/** What is to stand, as edits of what stands: only those that change something. */
export const editsTowards = (
  ruled: RuledOut,
  wanted: ReadonlyArray<Pick<RuledOutEdit, 'speaker_id' | 'face_id' | 'after'>>,
): ReadonlyArray<RuledOutEdit> =>
  wanted.flatMap(({ speaker_id, face_id, after }) => {
    const before = isRuledOut(ruled, speaker_id, face_id);
    return before === after ? [] : [{ speaker_id, face_id, before, after }];
  });

/** So many may stand on one video: they are a part of its record, which is read and written whole. */
export const mostRuledOut = 10_000;

/** Whether edits add to what stands, and it would be more than may. */
export const exceedsRuledOut = (ruled: RuledOut, edits: ReadonlyArray<RuledOutEdit>): boolean => {
  const more = edits.reduce((sum, { after }) => sum + (after ? 1 : -1), 0);
  return more > 0 && more + [...ruled.values()].reduce((sum, { size }) => sum + size, 0) > mostRuledOut;
};

/** The edits that undo others. */
export const turnedRuledOut = (edits: ReadonlyArray<RuledOutEdit>): ReadonlyArray<RuledOutEdit> =>
  edits.map(({ before, after, ...pair }) => ({ ...pair, before: after, after: before }));

/** What undoes edits as far as what they left still stands. */
export const restoredRuledOut = (ruled: RuledOut, edits: ReadonlyArray<RuledOutEdit>): ReadonlyArray<RuledOutEdit> =>
  turnedRuledOut(edits.filter(({ speaker_id, face_id, after }) => isRuledOut(ruled, speaker_id, face_id) === after));

/** Two rounds of edits as one. */
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

/** What still makes sense once a speaker is gone. */
export const withoutSpeaker = (ruled: RuledOut, speaker_id: SpeakerId): RuledOut =>
  ruled.has(speaker_id) ? new Map([...ruled].filter(([other]) => other !== speaker_id)) : ruled;

/** What still makes sense once a video has these faces alone. */
export const amongFaces = (ruled: RuledOut, faces: ReadonlySet<FaceId>): RuledOut =>
  new Map(
    [...ruled].flatMap(([speaker_id, ruledFaces]) => {
      const left = [...ruledFaces].filter((face_id) => face_id === null || faces.has(face_id));
      return left.length === 0 ? [] : [[speaker_id, new Set(left)]];
    }),
  );
