import type { FaceId } from '../../kernel/ids.js';
import type { AudioFacts } from '../audio-facts.js';
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
  const speakers = new Map(audio.speakers.map((speaker) => [speaker.speaker_id, speaker]));
  return linkFaces(
    faces,
    matches.map(({ face_id, speaker_id, accuracy }) => ({
      face_id,
      speaker_id,
      accuracy,
      name: adoptedName(faces.get(face_id), speakers.get(speaker_id)),
    })),
  );
};
