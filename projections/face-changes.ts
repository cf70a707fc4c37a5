import type { FaceId } from '../domain/kernel/ids.js';
import type { FaceAttributes, FaceChange } from '../domain/video/face.js';
import type { UntaggedRecord } from './views.js';

type Faces = UntaggedRecord['faces'];

/** A face as the record shows it. */
export const shownFace = (id: FaceId, { name, speaker_id, accuracy, personality_traits }: FaceAttributes) => ({
  id,
  name,
  speaker_id,
  accuracy,
  personality_traits,
});

/** Faces with some attributes of some of them changed; ids that no face has are passed over. */
export const withAttributes = (faces: Faces, changes: ReadonlyMap<FaceId, Partial<FaceAttributes>>): Faces =>
  changes.size === 0
    ? faces
    : faces.map((face) => {
        const change = changes.get(face.id);
        return change === undefined ? face : shownFace(face.id, { ...face, ...change });
      });

/** Faces after changes. */
export const withChanges = (faces: Faces, changes: ReadonlyArray<FaceChange>): Faces =>
  withAttributes(faces, new Map(changes.map(({ face_id, after }) => [face_id, after])));
