import type * as t from 'io-ts';
import { AccountDetailsBody, IssueKeyBody, MakeKeyBody, OpenAccountBody, RetentionBody } from '../codecs/access.js';
import { BookCreditsBody, SpendingWindowBody } from '../codecs/credits.js';
import { DecisionsBody, MatchFacesBody, MatchRunBody, RevertBody } from '../codecs/matching.js';
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
import { audioAnalysisReader, transcriptReader, videoAnalysisReader, writeBackReader } from './analysis-readers.js';
import { type BodyReader, plainReader } from '../decode.js';

/**
 * The readers of all bodies, so that the worker thread finds the reader of a large body by the name of its codec. The
 * service does not start if the body of an endpoint is missing here.
 */
const readers: ReadonlyArray<BodyReader<unknown>> = [
  videoAnalysisReader,
  audioAnalysisReader,
  transcriptReader,
  plainReader(OpenAccountBody),
  plainReader(AccountDetailsBody),
  plainReader(RetentionBody),
  plainReader(IssueKeyBody),
  plainReader(MakeKeyBody),
  plainReader(BookCreditsBody),
  plainReader(SpendingWindowBody),
  plainReader(MatchFacesBody),
  plainReader(DecisionsBody),
  plainReader(MatchRunBody),
  writeBackReader,
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

/** The reader of the bodies of a codec. Throws if there is none. */
export const readerOf = (codec: Pick<t.Mixed, 'name'>): BodyReader<unknown> => {
  const reader = byName.get(codec.name);
  if (reader === undefined) throw new Error(`there is no reader for the body ${codec.name}`);
  return reader;
};
