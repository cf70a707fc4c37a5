import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import {
  AudioAnalysis,
  ReplacingTranscript,
  VideoAnalysis,
  packAudioAnalysis,
  packTranscript,
  packVideoAnalysis,
} from '../../application/evidence/pack-analysis.js';
import * as access from './codecs/access.js';
import * as matching from './codecs/matching.js';
import * as media from './codecs/media.js';
import * as realtime from './codecs/realtime.js';
import { type MalformedBody, decodeBody, malformed, parseJson } from './decode.js';
import { countJson } from '../runtime/memory.js';

const { AudioAnalysisBody, TranscriptBody, VideoAnalysisBody } = media;
const { WriteBackBody } = matching;

/** How one kind of body is read. */
export interface BodyReader<Body> {
  readonly codec: t.Mixed;
  /** Decodes parsed JSON. */
  readonly read: (json: unknown) => E.Either<MalformedBody, Body>;
  /** Recognises a result of `read` that comes from another thread. */
  readonly result: t.Type<Body, unknown>;
}

/** The reader of a body of which something is made, for example its packed evidence. */
const readerWith = <Sent, Body>(
  codec: t.Type<Sent, unknown>,
  result: t.Type<Body, unknown>,
  make: (sent: Sent) => E.Either<MalformedBody, Body>,
): BodyReader<Body> => ({ codec, result, read: (json) => pipe(decodeBody(codec, json), E.chain(make)) });

/** The reader of a body that only has to be decoded. */
export const plainReader = <Body>(codec: t.Type<Body, unknown>): BodyReader<Body> => readerWith(codec, codec, E.right);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

export const videoAnalysisReader = readerWith(VideoAnalysisBody, VideoAnalysis, (body) =>
  E.right(packVideoAnalysis(body, digest)),
);
export const audioAnalysisReader = readerWith(AudioAnalysisBody, AudioAnalysis, (body) =>
  E.right(packAudioAnalysis(body, digest)),
);
export const transcriptReader = readerWith(TranscriptBody, ReplacingTranscript, ({ transcript }) =>
  E.right(packTranscript(transcript, digest)),
);

const matchesMissing = 'is missing; it must be a list';

/** The answer of a match worker: it has matches unless the run failed. */
export const writeBackReader = readerWith(WriteBackBody, WriteBackBody, (body) =>
  body.status === 'failed' || (body.matches !== undefined && body.matches !== null)
    ? E.right(body)
    : E.left(malformed(`matches ${matchesMissing}`, [{ path: 'matches', message: matchesMissing }])),
);

const isCodec = (value: unknown): value is t.Mixed => value instanceof t.Type;

type AnyReader = Pick<BodyReader<unknown>, 'codec' | 'read'>;

/** The readers of all bodies by the names of their codecs. */
const readers: ReadonlyMap<string, AnyReader> = new Map(
  [
    ...[access, matching, media, realtime]
      .flatMap((codecs) => Object.values<unknown>(codecs))
      .filter(isCodec)
      .map((codec) => plainReader<unknown>(codec)),
    videoAnalysisReader,
    audioAnalysisReader,
    transcriptReader,
    writeBackReader,
  ].map((reader) => [reader.codec.name, reader]),
);

/** The reader of the bodies of a codec, by which a thread finds it. Throws if there is none. */
export const readerOf = (name: string): AnyReader => {
  const reader = readers.get(name);
  if (reader === undefined) throw new Error(`there is no reader for the body ${name}`);
  return reader;
};

/** A large body as it is sent to a thread. */
export interface LargeBody {
  /** The name of the codec. */
  readonly reader: string;
  readonly bytes: Uint8Array;
}

/** More values than the largest valid body has. */
const maxValues = 4_000_000;
/** Deeper values could not be sent between threads. */
const maxDepth = 100;

/** Reads the bytes of a body as its endpoint would. What would need too much memory is refused before it is parsed. */
export const readLarge = ({ reader, bytes }: LargeBody): E.Either<MalformedBody, unknown> => {
  const { values, depth } = countJson(bytes);
  if (values > maxValues)
    return E.left(malformed(`The body has more than ${maxValues.toLocaleString('en-US')} values`));
  return pipe(
    parseJson(bytes),
    E.chain(readerOf(reader).read),
    E.filterOrElse(
      () => depth <= maxDepth,
      () => malformed(`The body is nested deeper than ${maxDepth} levels`),
    ),
  );
};
