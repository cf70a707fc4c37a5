import type { FaceId, SpeakerId } from '../kernel/ids.js';
import { isRealName } from '../kernel/names.js';
import { foldName } from './fold-name.js';

export interface NamedFace {
  readonly face_id: FaceId;
  readonly name: string | null;
}

export interface NamedSpeaker {
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
}

export interface NameMatch {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}

/**
 * The accuracy of a match by name. Nothing is left to estimate once both sides carry the same real name and nobody
 * else does; what remains is that one of the names was given wrongly, so that it is less than a certainty.
 */
export const nameMatchAccuracy = 0.99;

const realName = (name: string | null): string | null => {
  if (!isRealName(name)) return null;
  const folded = foldName(name);
  return folded === '' ? null : folded;
};

/** The owners of real names, by folded name; a name that two of them share is left out. */
const uniqueByName = <Owner extends { readonly name: string | null }>(owners: readonly Owner[]): Map<string, Owner> => {
  const byName = new Map<string, Owner | null>();
  for (const owner of owners) {
    const name = realName(owner.name);
    if (name !== null) byName.set(name, byName.has(name) ? null : owner);
  }
  return new Map([...byName].flatMap(([name, owner]) => (owner === null ? [] : [[name, owner] as const])));
};

/** The faces and speakers that carry the same real name, as long as nobody else on either side does. */
export const matchByName = (faces: readonly NamedFace[], speakers: readonly NamedSpeaker[]): readonly NameMatch[] => {
  const faceByName = uniqueByName(faces);
  const matches = [...uniqueByName(speakers)].flatMap(([name, { speaker_id }]) => {
    const face = faceByName.get(name);
    return face === undefined ? [] : [{ face_id: face.face_id, speaker_id }];
  });
  return matches.sort((a, b) => a.speaker_id - b.speaker_id);
};
