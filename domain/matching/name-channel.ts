import type { FaceId, SpeakerId } from '../kernel/ids.js';
import { isRealName } from '../kernel/names.js';

export const nameMatchAccuracy = 0.99;

const fold = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

const uniqueByName = <Owner extends { readonly name: string | null }>(owners: ReadonlyArray<Owner>) => {
  const byName = new Map<string, Owner | null>();
  for (const owner of owners)
    if (isRealName(owner.name)) byName.set(fold(owner.name), byName.has(fold(owner.name)) ? null : owner);
  return byName;
};

/** Equal real names that nobody else on either side carries. */
export const matchByName = (
  faces: ReadonlyArray<{ readonly face_id: FaceId; readonly name: string | null }>,
  speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: string | null }>,
): ReadonlyArray<{ readonly face_id: FaceId; readonly speaker_id: SpeakerId }> => {
  const faceByName = uniqueByName(faces);
  return [...uniqueByName(speakers)].flatMap(([name, speaker]) => {
    const face = faceByName.get(name);
    return speaker === null || face === null || face === undefined
      ? []
      : [{ face_id: face.face_id, speaker_id: speaker.speaker_id }];
  });
};
