import type { FaceId } from '../../kernel/ids.js';
import type { AudioFacts } from '../contract.js';
import type { RecordedMatch } from '../events.js';
import type { FaceChange } from '../face.js';
import { adoptedName, linkFaces } from '../link-faces.js';
import type { Face } from '../state.js';

/** What a commit-mode write-back changes: matches with their accuracy, and the speaker's name for a face without one. */
export const commitLinks = (
  faces: ReadonlyMap<FaceId, Face>,
  matches: ReadonlyArray<RecordedMatch>,
  audio: AudioFacts,
): ReadonlyArray<FaceChange> => {
  const speakerNames = new Map(audio.speakers.map(({ speaker_id, name }) => [speaker_id, name]));
  return linkFaces(
    faces,
    matches.map(({ face_id, speaker_id, accuracy }) => ({
      face_id,
      speaker_id,
      accuracy,
      name: adoptedName(faces.get(face_id)?.name ?? null, speakerNames.get(speaker_id) ?? null),
    })),
  );
};
