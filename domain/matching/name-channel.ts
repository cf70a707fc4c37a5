import type { FaceId, SpeakerId } from '../kernel/ids.js';
export const nameMatchAccuracy = 1;
export declare const matchByName: (
  faces: ReadonlyArray<{ readonly face_id: FaceId; readonly name: string | null }>,
  speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: string | null }>,
) => ReadonlyArray<{ readonly face_id: FaceId; readonly speaker_id: SpeakerId }>;
