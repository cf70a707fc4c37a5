import * as E from 'fp-ts/lib/Either.js';
import { firstRepeated } from '../../kernel/first-repeated.js';
import { FaceId, SpeakerId } from '../../kernel/ids.js';
import type { VideoRefusal } from '../contract.js';
import type { SpeakerFacts } from '../audio-facts.js';
import type { Face } from '../state.js';

/** A face, or none, and a speaker as they were named. */
interface NamedPair {
  readonly face_id: number | null;
  readonly speaker_id: number;
}
/** A face that the video has, or none where none may be named, and a speaker that the audio has. */
interface KnownPair<Named extends number | null> {
  readonly face_id: null extends Named ? FaceId | null : FaceId;
  readonly speaker_id: SpeakerId;
}

/** Each face and each speaker at most once. */
export const checkDistinct = (
  pairs: ReadonlyArray<NamedPair & { readonly face_id: number }>,
): E.Either<Extract<VideoRefusal, { readonly _tag: 'DuplicateFace' | 'DuplicateSpeaker' }>, void> => {
  const face_id = firstRepeated(pairs.map((pair) => pair.face_id));
  if (face_id !== undefined) return E.left({ _tag: 'DuplicateFace', face_id });
  const speaker_id = firstRepeated(pairs.map((pair) => pair.speaker_id));
  return speaker_id === undefined ? E.right(undefined) : E.left({ _tag: 'DuplicateSpeaker', speaker_id });
};

/** A face is not the video's, or a speaker not the audio's. */
export type UnknownInPair = Extract<VideoRefusal, { readonly _tag: 'InvalidFace' | 'InvalidSpeaker' }>;

/** The pairs, once every face is the video's and every speaker the audio's; without a face, the speaker alone counts. */
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
