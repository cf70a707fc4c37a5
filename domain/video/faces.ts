import type { FaceId, SpeakerId } from '../kernel/ids.js';
import { type NamedBy, isRealName } from '../kernel/names.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
import type { AudioFacts } from './audio-facts.js';
import type { FaceChange } from './face.js';
import { withNameBack, withOwnName } from './own-names.js';
import type { Face } from './state.js';

type Faces = ReadonlyMap<FaceId, Face>;

/** Changes those of the faces that there are, each as it is said; thousands at once cost one copy of the whole. */
export const withFaces = (
  faces: Faces,
  changes: ReadonlyArray<{ readonly face_id: FaceId; readonly change: Partial<Face> }>,
): Faces => {
  const next = new Map(faces);
  for (const { face_id, change } of changes) {
    const face = next.get(face_id);
    if (face !== undefined) next.set(face_id, { ...face, ...change });
  }
  return next;
};

/** What changes faces together. */
export interface Changing {
  readonly at: Timestamp;
  /** A match: a face that has no name of its own goes by its speaker's. Else it has the name that it is given. */
  readonly adopts: boolean;
}

/** How a change dates a face's name; null where it leaves name and speaker as they were, as one of the accuracy does. */
export const dating = (
  { before, after, named_by }: FaceChange,
  { at, adopts }: Changing,
  was: NamedBy = 'analysis',
): Pick<Face, 'named_at' | 'name_origin'> | null => {
  if (before.name === after.name && before.speaker_id === after.speaker_id) return null;
  const adopted = adopts && after.speaker_id !== null && !isRealName(before.name, named_by?.before ?? was);
  return { named_at: at, name_origin: adopted ? 'adopted' : 'own' };
};

/** What the faces are after changes made at one time. */
export const withChanges = (faces: Faces, changes: ReadonlyArray<FaceChange>, changing: Changing): Faces => {
  if (changes.length === 0) return faces;
  const next = new Map(faces);
  for (const change of changes) {
    const { face_id, after } = change;
    const face = next.get(face_id);
    if (face === undefined) continue;
    next.set(face_id, {
      ...face,
      ...after,
      ...dating(change, changing, face.named_by),
      named_by: change.named_by?.after ?? face.named_by,
      own: changing.adopts ? face.own : withNameBack(face.own, change),
    });
  }
  return next;
};

/** Changes that give faces names and speakers which they had, or hand them on with the names that they have. */
export const putBack = (faces: Faces, changes: ReadonlyArray<FaceChange>, at: Timestamp): Faces =>
  withChanges(faces, changes, { at, adopts: false });

/**
 * Faces whose speakers were withdrawn. A name that a person gave to face and speaker is still for both when the face is
 * handed on to another speaker.
 */
export const handedOn = (faces: Faces, changes: ReadonlyArray<FaceChange>, at: Timestamp): Faces => {
  const shared = changes.filter(
    ({ face_id, named_by, after }) =>
      named_by === null && after.speaker_id !== null && faces.get(face_id)?.name_origin === 'shared',
  );
  return withFaces(
    putBack(faces, changes, at),
    shared.map(({ face_id }) => ({ face_id, change: { name_origin: 'shared' } })),
  );
};

/** A person gave these speakers and the faces that are matched to them one name each. */
export const withSharedNames = (
  faces: Faces,
  speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>,
  at: Timestamp,
): Faces => {
  if (speakers.length === 0) return faces;
  const named = new Set(speakers.map(({ speaker_id }) => speaker_id));
  return new Map(
    [...faces].map(([face_id, face]) => [
      face_id,
      face.speaker_id !== null && named.has(face.speaker_id)
        ? {
            ...face,
            named_by: 'person',
            named_at: at,
            name_origin: 'shared',
            own: withOwnName(face.own, { name: face.name, named_by: 'person' }),
          }
        : face,
    ]),
  );
};

/** Later than every name that the decision was made on, of faces and speakers: so dates are in the order of decisions. */
export const datedLast = (at: Timestamp, faces: Faces, audio: AudioFacts | null): Timestamp =>
  laterThan(at, [audio?.renamed_at ?? null, ...[...faces.values()].map(({ named_at }) => named_at)]);
