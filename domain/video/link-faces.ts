import type { FaceId, SpeakerId } from '../kernel/ids.js';
import { type GivenName, type Naming, isBlank, isRealName } from '../kernel/names.js';
import { type FaceAttributes, type FaceChange, attributesOf, faceChange, sameMatch } from './face.js';
import type { Face } from './state.js';

/** A face and a speaker that are to belong together; a null name leaves the face's own. */
export interface FaceLink {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number | null;
  readonly name: GivenName | null;
}

/** The name that a face takes over from its speaker. */
export const speakersName = ({ named_by }: Naming, name: string): GivenName => ({
  name,
  named_by: named_by === 'person' ? 'person' : 'speaker',
});

/** The name that a face adopts from its speaker: only where it has none or a placeholder (section 4.1, rule 2). */
export const adoptedName = (face: Naming | undefined, speaker: Naming | undefined): GivenName | null => {
  if (face === undefined || speaker === undefined || isRealName(face.name, face.named_by)) return null;
  return speaker.name === null || isBlank(speaker.name) ? null : speakersName(speaker, speaker.name);
};

const change = (
  face: Face,
  to: Partial<FaceAttributes>,
  { name, named_by }: Naming = face,
): ReadonlyArray<FaceChange> => {
  const before = attributesOf(face);
  const after = { ...before, ...to, name };
  if (!sameMatch(before, after)) return [faceChange(face, { ...after, personality_traits: null }, named_by)];
  return named_by === face.named_by ? [] : [faceChange(face, before, named_by)];
};

/**
 * What linking changes: each linked face gets its speaker, and a face outside the request that had one of these
 * speakers loses it, for a speaker has at most one face per video. A face that changes loses its personality data
 * (section 4.1, rule 4), but not where only whose name it is changes; one that stays as it was is not mentioned.
 */
export const linkFaces = (
  faces: ReadonlyMap<FaceId, Face>,
  links: ReadonlyArray<FaceLink>,
): ReadonlyArray<FaceChange> => {
  const linked = new Set(links.map(({ face_id }) => face_id));
  const taken = new Set(links.map(({ speaker_id }) => speaker_id));
  const losing = [...faces.values()].filter(
    ({ face_id, speaker_id }) => speaker_id !== null && taken.has(speaker_id) && !linked.has(face_id),
  );
  return [
    ...losing.flatMap((face) => change(face, { speaker_id: null, accuracy: null })),
    ...links.flatMap(({ face_id, speaker_id, accuracy, name }) => {
      const face = faces.get(face_id);
      return face === undefined ? [] : change(face, { speaker_id, accuracy }, name ?? face);
    }),
  ];
};
