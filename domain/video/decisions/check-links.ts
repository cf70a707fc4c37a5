import * as E from 'fp-ts/lib/Either.js';
import { firstRepeated } from '../../kernel/first-repeated.js';
import type { FaceId, SpeakerId } from '../../kernel/ids.js';
import type { SpeakerFacts, VideoRefusal } from '../contract.js';
import type { Face } from '../state.js';

interface Pair {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}

/** Each face and each speaker at most once. */
export const checkDistinct = (pairs: ReadonlyArray<Pair>): E.Either<VideoRefusal, void> => {
  const face_id = firstRepeated(pairs.map((pair) => pair.face_id));
  if (face_id !== undefined) return E.left({ _tag: 'DuplicateFace', face_id });
  const speaker_id = firstRepeated(pairs.map((pair) => pair.speaker_id));
  return speaker_id === undefined ? E.right(undefined) : E.left({ _tag: 'DuplicateSpeaker', speaker_id });
};

/** Every face is the video's and every speaker the audio's. */
export const checkKnown = (
  pairs: ReadonlyArray<Pair>,
  faces: ReadonlyMap<FaceId, Face>,
  speakers: ReadonlyArray<SpeakerFacts>,
): E.Either<VideoRefusal, void> => {
  const unknownFace = pairs.find(({ face_id }) => !faces.has(face_id));
  if (unknownFace !== undefined) return E.left({ _tag: 'InvalidFace', face_id: unknownFace.face_id });
  const known = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const unknownSpeaker = pairs.find(({ speaker_id }) => !known.has(speaker_id));
  return unknownSpeaker === undefined
    ? E.right(undefined)
    : E.left({ _tag: 'InvalidSpeaker', speaker_id: unknownSpeaker.speaker_id });
};
