import * as E from 'fp-ts/lib/Either.js';
import { firstRepeated } from '../../kernel/first-repeated.js';
import { FaceId, SpeakerId } from '../../kernel/ids.js';
import type { VideoRefusal } from '../contract.js';
import type { SpeakerFacts } from '../audio-facts.js';
import type { Face } from '../state.js';

/** A face and a speaker as they were named. */
interface NamedPair {
  readonly face_id: number;
  readonly speaker_id: number;
}
/** A face that the video has and a speaker that the audio has. */
interface KnownPair {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}

/** Each face and each speaker at most once. */
export const checkDistinct = (
  pairs: ReadonlyArray<NamedPair>,
): E.Either<Extract<VideoRefusal, { readonly _tag: 'DuplicateFace' | 'DuplicateSpeaker' }>, void> => {
  const face_id = firstRepeated(pairs.map((pair) => pair.face_id));
  if (face_id !== undefined) return E.left({ _tag: 'DuplicateFace', face_id });
  const speaker_id = firstRepeated(pairs.map((pair) => pair.speaker_id));
  return speaker_id === undefined ? E.right(undefined) : E.left({ _tag: 'DuplicateSpeaker', speaker_id });
};

/** A face is not the video's, or a speaker not the audio's. */
export type UnknownInPair = Extract<VideoRefusal, { readonly _tag: 'InvalidFace' | 'InvalidSpeaker' }>;

/** The pairs, once every face is the video's and every speaker the audio's. */
export const checkKnown = <Pair extends NamedPair>(
  pairs: ReadonlyArray<Pair>,
  faces: ReadonlyMap<FaceId, Face>,
  speakers: ReadonlyArray<SpeakerFacts>,
): E.Either<UnknownInPair, ReadonlyArray<Pair & KnownPair>> => {
  const known = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const isFace = (face_id: number): face_id is FaceId => FaceId.is(face_id) && faces.has(face_id);
  const isSpeaker = (speaker_id: number): speaker_id is SpeakerId => SpeakerId.is(speaker_id) && known.has(speaker_id);
  const isKnown = (pair: Pair): pair is Pair & KnownPair => isFace(pair.face_id) && isSpeaker(pair.speaker_id);
  const unknownFace = pairs.find(({ face_id }) => !isFace(face_id));
  if (unknownFace !== undefined) return E.left({ _tag: 'InvalidFace', face_id: unknownFace.face_id });
  const unknownSpeaker = pairs.find(({ speaker_id }) => !isSpeaker(speaker_id));
  return unknownSpeaker === undefined
    ? E.right(pairs.filter(isKnown))
    : E.left({ _tag: 'InvalidSpeaker', speaker_id: unknownSpeaker.speaker_id });
};
