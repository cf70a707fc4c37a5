import * as t from 'io-ts';
import { nullable } from '../kernel/event-codecs.js';
import { FaceId, SpeakerId } from '../kernel/ids.js';
import { JsonObject } from '../kernel/json.js';
import { type NamedBy, type Naming, WhoseName } from '../kernel/names.js';

const isAccuracy = (n: number): boolean => n >= 0 && n <= 1;

/** Probability that a match is right, in [0,1]. */
export const Accuracy = t.refinement(t.number, isAccuracy, 'Accuracy');

/** The attributes of a face that matching and naming can change. */
export const FaceAttributes = t.type(
  {
    name: nullable(t.string),
    speaker_id: nullable(SpeakerId),
    accuracy: nullable(Accuracy),
    personality_traits: nullable(JsonObject),
  },
  'FaceAttributes',
);
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

export const RecordedFace = t.intersection([t.type({ face_id: FaceId }), FaceAttributes], 'RecordedFace');
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
  face: RecordedFace & Naming,
  after: FaceAttributes,
  named_by: NamedBy = face.named_by,
): FaceChange => ({
  face_id: face.face_id,
  before: attributesOf(face),
  after: attributesOf(after),
  named_by: face.name === after.name && face.named_by === named_by ? null : { before: face.named_by, after: named_by },
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
