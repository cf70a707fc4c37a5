import { isTouched, renumberedAfter } from '../kernel/renumbering.js';
import type { VideoChanges } from './changes.js';
import type { FaceAttributes } from './face.js';
import type { RegisteredVideo } from './state.js';

/** Whether a change made at a revision touched faces or speakers that have other numbers since, or are gone. */
export const touchesRenumbered = (
  { renumberings }: Pick<RegisteredVideo, 'renumberings'>,
  { faces, ruled_out }: Pick<VideoChanges, 'faces' | 'ruled_out'>,
  revision: number,
): boolean => {
  const isFace = isTouched(renumberedAfter(renumberings.faces, revision));
  const isSpeaker = isTouched(renumberedAfter(renumberings.speakers, revision));
  const isLinked = ({ speaker_id }: FaceAttributes): boolean => speaker_id !== null && isSpeaker(speaker_id);
  return (
    faces.some(({ face_id, before, after }) => isFace(face_id) || isLinked(before) || isLinked(after)) ||
    ruled_out.some(({ face_id, speaker_id }) => isSpeaker(speaker_id) || (face_id !== null && isFace(face_id)))
  );
};
