import type { FaceId, RunId, SpeakerId } from '../../kernel/ids.js';
import { type FaceChange, attributesOf } from '../face.js';
import type { AudioFacts } from '../contract.js';
import type { Face } from '../state.js';

export interface Restoration {
  readonly changes: ReadonlyArray<FaceChange>;
  /** Faces that stay as they are, for something else changed them, or took their speaker, after the run did. */
  readonly changed_since: ReadonlyArray<FaceId>;
}

type Faces = ReadonlyMap<FaceId, Face>;

const holders = (faces: Faces): ReadonlyMap<SpeakerId, FaceId> =>
  new Map(
    [...faces.values()].flatMap(({ face_id, speaker_id }) => (speaker_id === null ? [] : [[speaker_id, face_id]])),
  );

/**
 * Without the faces whose old speaker is held by a face that stays, or was held by another that the run changed later;
 * each one left out may hold another up.
 */
const withoutTaken = (restorable: ReadonlyArray<FaceChange>, holderOf: ReadonlyMap<SpeakerId, FaceId>) => {
  let left = restorable;
  for (;;) {
    const leaving = new Set(left.map(({ face_id }) => face_id));
    const lastHeir = new Map(left.map(({ face_id, before }) => [before.speaker_id, face_id]));
    const free = left.filter(({ face_id, before: { speaker_id } }) => {
      const holder = speaker_id === null ? undefined : holderOf.get(speaker_id);
      const heir = speaker_id === null ? face_id : lastHeir.get(speaker_id);
      return heir === face_id && (holder === undefined || leaving.has(holder));
    });
    if (free.length === left.length) return free;
    left = free;
  }
};

/** What was before, without speakers that were deleted or merged since. */
export const withoutWithdrawn = (
  changes: ReadonlyArray<FaceChange>,
  audio: AudioFacts | null,
): ReadonlyArray<FaceChange> => {
  const known = new Set(audio?.speakers.map(({ speaker_id }) => speaker_id));
  return changes.map((change) =>
    change.before.speaker_id === null || known.has(change.before.speaker_id)
      ? change
      : { ...change, before: { ...change.before, speaker_id: null, accuracy: null } },
  );
};

/** Puts back what a run changed, face by face, except where it no longer is the last that changed the face. */
export const restoredFaces = (faces: Faces, run_id: RunId, changed: ReadonlyArray<FaceChange>): Restoration => {
  const untouched = changed.filter(({ face_id }) => faces.get(face_id)?.changed_by_run === run_id);
  const restorable = withoutTaken(untouched, holders(faces));
  const restored = new Set(restorable.map(({ face_id }) => face_id));
  return {
    changes: restorable.flatMap(({ face_id, before }) => {
      const face = faces.get(face_id);
      return face === undefined ? [] : [{ face_id, before: attributesOf(face), after: before }];
    }),
    changed_since: changed.map(({ face_id }) => face_id).filter((face_id) => !restored.has(face_id)),
  };
};
