import { FaceId, SpeakerId, firstDuplicate } from '../kernel/ids.js';
import { type GivenName, type Naming, isBlank, isRealName } from '../kernel/names.js';
import { type FaceAttributes, type FaceChange, attributesOf, faceChange, sameMatch } from './face.js';
import type { Face } from './state.js';
import * as E from 'fp-ts/lib/Either.js';
import type { VideoRefusal } from './refusals.js';
import type { SpeakerFacts, AudioFacts } from './audio-facts.js';
import type { RecordedMatch } from './events.js';

/** A face and speaker to link. If `name` is null, the face keeps its name. */
export interface FaceLink {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number | null;
  readonly name: GivenName | null;
}

/** A speaker's name as its face takes it over. */
export const speakersName = ({ named_by }: Naming, name: string): GivenName => ({
  name,
  named_by: named_by === 'person' ? 'person' : 'speaker',
});

/** The name that a face adopts from its speaker: only if it has no name or a placeholder (section 4.1, rule 2). */
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
 * The changes that links cause. Each linked face gets its speaker. A face outside the request that had one of these
 * speakers loses it, since a speaker has at most one face per video. A changed face loses its personality data (section
 * 4.1, rule 4), unless only who gave its name changes. Unchanged faces are not included.
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

/** A face id (or none) and a speaker id from a request, not validated. */
interface NamedPair {
  readonly face_id: number | null;
  readonly speaker_id: number;
}
/** Ids of an existing face (or none, if allowed) and an existing speaker. */
interface KnownPair<Named extends number | null> {
  readonly face_id: null extends Named ? FaceId | null : FaceId;
  readonly speaker_id: SpeakerId;
}

/** Checks that each face and each speaker occurs at most once. */
export const checkDistinct = (
  pairs: ReadonlyArray<NamedPair & { readonly face_id: number }>,
): E.Either<Extract<VideoRefusal, { readonly _tag: 'DuplicateFace' | 'DuplicateSpeaker' }>, void> => {
  const face_id = firstDuplicate(pairs.map((pair) => pair.face_id));
  if (face_id !== undefined) return E.left({ _tag: 'DuplicateFace', face_id });
  const speaker_id = firstDuplicate(pairs.map((pair) => pair.speaker_id));
  return speaker_id === undefined ? E.right(undefined) : E.left({ _tag: 'DuplicateSpeaker', speaker_id });
};

/** A face or a speaker does not exist. */
type UnknownInPair = Extract<VideoRefusal, { readonly _tag: 'InvalidFace' | 'InvalidSpeaker' }>;

/**
 * Checks that every face belongs to the video and every speaker to the audio. If a pair has no face, only the speaker
 * is checked.
 */
export const checkKnown = <Pair extends NamedPair>(
  pairs: ReadonlyArray<Pair>,
  faces: ReadonlyMap<FaceId, Face>,
  speakers: ReadonlyArray<SpeakerFacts>,
): E.Either<UnknownInPair, ReadonlyArray<Pair & KnownPair<Pair['face_id']>>> => {
  const heard = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const isFace = (face_id: number | null): face_id is FaceId | null =>
    face_id === null || (FaceId.is(face_id) && faces.has(face_id));
  const isSpeaker = (speaker_id: number): speaker_id is SpeakerId => SpeakerId.is(speaker_id) && heard.has(speaker_id);
  const isKnown = (pair: Pair): pair is Pair & KnownPair<Pair['face_id']> =>
    isFace(pair.face_id) && isSpeaker(pair.speaker_id);
  const known = pairs.filter(isKnown);
  if (known.length === pairs.length) return E.right(known);
  const unknownFace = pairs.find(({ face_id }) => !isFace(face_id))?.face_id ?? null;
  return E.left(
    unknownFace === null
      ? { _tag: 'InvalidSpeaker', speaker_id: pairs.find(({ speaker_id }) => !isSpeaker(speaker_id))?.speaker_id ?? -1 }
      : { _tag: 'InvalidFace', face_id: unknownFace },
  );
};

/**
 * The changes of a commit-mode write-back: matches with accuracy, and the speaker's name for faces without a real one.
 */
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
