import type * as t from 'io-ts';
import { IssueKeyBody, MakeKeyBody, OpenAccountBody, RetentionBody } from '../codecs/access.js';
import { BookCreditsBody, SpendingWindowBody } from '../codecs/credits.js';
import { DecisionsBody, MatchFacesBody, MatchRunBody, RevertBody, WriteBackBody } from '../codecs/matching.js';
import {
  AudioDetailsBody,
  FaceNamesBody,
  MergeSpeakersBody,
  NameInferenceBody,
  PersonalityTraitsBody,
  RegisterAudioBody,
  RegisterVideoBody,
  SpeakerNamesBody,
  SpeakerRolesBody,
  VideoDetailsBody,
} from '../codecs/media.js';
import { CandidateBody, CreateSessionBody, OfferBody } from '../codecs/realtime.js';
import { ProviderTagsBody, TagRegistryBody, UserTagsBody } from '../codecs/tags.js';
import { audioAnalysisReader, transcriptReader, videoAnalysisReader } from './analysis-readers.js';
import { type BodyReader, plainReader } from '../decode.js';

/**
 * Every kind of body, so that another thread finds the reader of a large one by the name of its codec. An endpoint whose
 * body is missing here does not start.
 */
const readers: ReadonlyArray<BodyReader<unknown>> = [
  videoAnalysisReader,
  audioAnalysisReader,
  transcriptReader,
  plainReader(OpenAccountBody),
  plainReader(RetentionBody),
  plainReader(IssueKeyBody),
  plainReader(MakeKeyBody),
  plainReader(BookCreditsBody),
  plainReader(SpendingWindowBody),
  plainReader(MatchFacesBody),
  plainReader(DecisionsBody),
  plainReader(MatchRunBody),
  plainReader(WriteBackBody),
  plainReader(FaceNamesBody),
  plainReader(MergeSpeakersBody),
  plainReader(PersonalityTraitsBody),
  plainReader(RegisterAudioBody),
  plainReader(RegisterVideoBody),
  plainReader(SpeakerNamesBody),
  plainReader(SpeakerRolesBody),
  plainReader(NameInferenceBody),
  plainReader(CandidateBody),
  plainReader(CreateSessionBody),
  plainReader(OfferBody),
  plainReader(ProviderTagsBody),
  plainReader(TagRegistryBody),
  plainReader(UserTagsBody),
  plainReader(VideoDetailsBody),
  plainReader(AudioDetailsBody),
  plainReader(RevertBody),
];

const byName = new Map(readers.map((reader) => [reader.codec.name, reader]));

/** The reader of the bodies that a codec describes. Throws where the codec is not listed here. */
export const readerOf = (codec: Pick<t.Mixed, 'name'>): BodyReader<unknown> => {
  const reader = byName.get(codec.name);
  if (reader === undefined) throw new Error(`the body ${codec.name} is missing in the list of bodies`);
  return reader;
};
