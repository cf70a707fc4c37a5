import * as t from 'io-ts';
import { nullable } from '../kernel/recorded-event.js';
import { FaceId, SpeakerId } from '../kernel/ids.js';
import { JsonObject } from '../kernel/json.js';
import { type NamedBy, type Naming, WhoseName } from '../kernel/names.js';

const isAccuracy = (n: number): boolean => n >= 0 && n <= 1;

/** Probability that a match is right, in [0,1]. */
export const Accuracy = t.refinement(t.number, isAccuracy, 'Accuracy');

const attributes = {
  name: nullable(t.string),
  speaker_id: nullable(SpeakerId),
  accuracy: nullable(Accuracy),
  personality_traits: nullable(JsonObject),
};

/** The attributes of a face that matching and naming can change. */
export const FaceAttributes = t.type(attributes, 'FaceAttributes');
export type FaceAttributes = t.TypeOf<typeof FaceAttributes>;

export const FaceChange = t.type(
  {
    face_id: FaceId,
    before: FaceAttributes,
    after: FaceAttributes,
    /** Null: neither the name nor who gave it changed. */
    named_by: nullable(WhoseName),
  },
  'FaceChange',
);
export type FaceChange = t.TypeOf<typeof FaceChange>;

/**
 * A change of a face that may lack what it left alone. Without a match, or the name of a speaker, it holds nothing of
 * the audio and can be read after the audio was erased.
 */
export const FaceEdit = t.type(
  { face_id: FaceId, before: t.partial(attributes), after: t.partial(attributes), named_by: nullable(WhoseName) },
  'FaceEdit',
);
export type FaceEdit = t.TypeOf<typeof FaceEdit>;

/** A face of an analysis. What it lacks stays as it was on the face that it continues. */
export const RecordedFace = t.intersection([t.type({ face_id: FaceId }), t.partial(attributes)], 'RecordedFace');
export type RecordedFace = t.TypeOf<typeof RecordedFace>;

/** Whether two faces have the same name and match. Personality data depends on these and is not compared. */
export const sameMatch = (a: FaceAttributes, b: FaceAttributes): boolean =>
  a.name === b.name && a.speaker_id === b.speaker_id && a.accuracy === b.accuracy;

export const attributesOf = ({ name, speaker_id, accuracy, personality_traits }: FaceAttributes): FaceAttributes => ({
  name,
  speaker_id,
  accuracy,
  personality_traits,
});

/** The change of a face to new attributes. `named_by`: who gave the new name. */
export const faceChange = (
  face: FaceAttributes & Naming & { readonly face_id: FaceId },
  after: FaceAttributes,
  named_by: NamedBy = face.named_by,
): FaceChange => ({
  face_id: face.face_id,
  before: attributesOf(face),
  after: attributesOf(after),
  named_by: face.name === after.name && face.named_by === named_by ? null : { before: face.named_by, after: named_by },
});

const sameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A change of a match is complete; any other has only the attributes that it changed. */
export const editOfFace = (change: FaceChange): FaceEdit => {
  const { before, after, named_by } = change;
  if (before.speaker_id !== after.speaker_id || before.accuracy !== after.accuracy) return change;
  const hasTraits = !sameJson(before.personality_traits, after.personality_traits);
  const changed = ({ name, personality_traits }: FaceAttributes) => ({
    ...(named_by === null ? {} : { name }),
    ...(hasTraits ? { personality_traits } : {}),
  });
  return { ...change, before: changed(before), after: changed(after) };
};

const unset: FaceAttributes = { name: null, speaker_id: null, accuracy: null, personality_traits: null };

/** The change of an edit: what the edit lacks is null before and after, so it counts as unchanged. */
export const changeOfEdit = (edit: FaceEdit): FaceChange => ({
  ...edit,
  before: { ...unset, ...edit.before },
  after: { ...unset, ...edit.after },
});

/** The attributes of a face after an analysis. `known`: the face that it continues. */
export const attributesAfter = (face: RecordedFace, known: FaceAttributes = unset): FaceAttributes => ({
  name: face.name === undefined ? known.name : face.name,
  speaker_id: face.speaker_id === undefined ? known.speaker_id : face.speaker_id,
  accuracy: face.accuracy === undefined ? known.accuracy : face.accuracy,
  personality_traits: face.personality_traits === undefined ? known.personality_traits : face.personality_traits,
});

const mergeWhose = (first: WhoseName | null, second: WhoseName | null): WhoseName | null =>
  first === null || second === null ? (first ?? second) : { before: first.before, after: second.after };

/**
 * Combines two successive lists of changes. A face keeps its value from before the first change, unless something else
 * changed it in between.
 */
export const mergeChanges = (
  first: ReadonlyArray<FaceChange>,
  second: ReadonlyArray<FaceChange>,
): ReadonlyArray<FaceChange> => {
  const merged = new Map(first.map((change) => [change.face_id, change]));
  for (const change of second) {
    const earlier = merged.get(change.face_id);
    merged.delete(change.face_id);
    merged.set(
      change.face_id,
      earlier !== undefined && sameMatch(earlier.after, change.before)
        ? { ...change, before: earlier.before, named_by: mergeWhose(earlier.named_by, change.named_by) }
        : change,
    );
  }
  return [...merged.values()];
};

/** Follows changes of faces through renumberings of faces and speakers; those of a face that is gone are dropped. */
export const followChanges = (
  changes: ReadonlyArray<FaceChange>,
  followSpeaker: (speaker_id: SpeakerId) => SpeakerId | null,
  followFace: (face_id: FaceId) => FaceId | null,
): ReadonlyArray<FaceChange> => {
  const followed = (face: FaceAttributes): FaceAttributes => {
    if (face.speaker_id === null) return face;
    const speaker_id = followSpeaker(face.speaker_id);
    return speaker_id === null
      ? { ...face, speaker_id, accuracy: null, personality_traits: null }
      : { ...face, speaker_id };
  };
  return changes.flatMap((change) => {
    const face_id = followFace(change.face_id);
    return face_id === null
      ? []
      : [{ ...change, face_id, before: followed(change.before), after: followed(change.after) }];
  });
};
