import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { descriptionOf } from './codecs/values.js';
import { fieldPath } from '../../domain/kernel/field-path.js';
import { createHash } from 'node:crypto';
import { pipe } from 'fp-ts/lib/function.js';
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
import { countJson } from '../runtime/memory.js';

/** An error at one place of a body. */
const FieldError = t.type({
  /** For example `mappings[0].face_id`; empty for the body itself. */
  path: t.string,
  message: t.string,
});
type FieldError = t.TypeOf<typeof FieldError>;

export const MalformedBody = t.type({
  _tag: t.literal('MalformedBody'),
  message: t.string,
  errors: t.readonlyArray(FieldError),
});
export type MalformedBody = t.TypeOf<typeof MalformedBody>;

const maxErrors = 20;

/** What a value of an io-ts codec must be. */
const expectations: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  undefined: 'absent',
};

/** As in "a, b or c". */
export const choices = (values: ReadonlyArray<string>): string => values.join(', ').replace(/, (?=[^,]*$)/, ' or ');

const isEnumeration = (type: unknown): type is { readonly keys: object } => type instanceof t.KeyofType;

const describe = (type: { readonly name: string }): string => {
  const known = descriptionOf(type)?.expected ?? expectations[type.name];
  if (known !== undefined) return known;
  if (isEnumeration(type)) return choices(Object.keys(type.keys));
  if (type instanceof t.ReadonlyArrayType) return 'a list';
  return [t.InterfaceType, t.PartialType, t.IntersectionType].some((kind) => type instanceof kind)
    ? 'an object'
    : type.name;
};

/** Whether there is an error deeper inside: then that is reported, not that the outer value could also be null. */
const hasInner = (path: string, others: ReadonlyMap<string, unknown>): boolean =>
  [...others.keys()].some(
    (other) =>
      other.length > path.length && other.startsWith(path) && (path === '' || '.['.includes(other.charAt(path.length))),
  );

/** Null comes last, after a comma: the others may be enumerations themselves. */
const alternatives = (expected: ReadonlyArray<string>): string => {
  const others = expected.filter((one) => one !== 'null');
  if (others.length === 0) return 'null';
  return others.join(' or ') + (others.length < expected.length ? ', or null' : '');
};

const merge = (errors: t.Errors): ReadonlyArray<FieldError> => {
  const byPath = new Map<string, { readonly expected: Set<string>; readonly missing: boolean }>();
  for (const { context, value, message } of errors) {
    const path = fieldPath(context);
    const type = context[context.length - 1]?.type;
    const entry = byPath.get(path) ?? { expected: new Set<string>(), missing: value === undefined };
    if (message !== undefined) entry.expected.add(message);
    else if (type !== undefined) entry.expected.add(describe(type));
    byPath.set(path, entry);
    if (byPath.size > maxErrors) break;
  }
  return [...byPath]
    .filter(([path]) => !hasInner(path, byPath))
    .slice(0, maxErrors)
    .map(([path, { expected, missing }]) => ({
      path,
      message: `${missing ? 'is missing; it' : ''} must be ${alternatives([...expected])}`.trim(),
    }));
};

/** Without `errors`, the error is about the body as a whole. */
export const malformed = (
  message: string,
  errors: ReadonlyArray<FieldError> = [{ path: '', message }],
): MalformedBody => ({
  _tag: 'MalformedBody',
  message,
  errors,
});

/** Decodes a body. Errors have the path to their place in the body. */
export const decodeBody = <Body>(codec: t.Decoder<unknown, Body>, body: unknown): E.Either<MalformedBody, Body> => {
  const decoded = codec.decode(body);
  if (E.isRight(decoded)) return decoded;
  const errors = merge(decoded.left);
  const first = errors[0];
  return E.left(
    malformed(
      first === undefined ? 'The body is malformed' : `${first.path === '' ? 'The body' : first.path} ${first.message}`,
      errors,
    ),
  );
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses the bytes of a body as JSON. */
export const parseJson = (bytes: Uint8Array): E.Either<MalformedBody, unknown> => {
  try {
    const text = utf8.decode(bytes);
    try {
      const json: unknown = JSON.parse(text);
      return E.right(json);
    } catch {
      return E.left(
        malformed(text.trim() === '' ? 'The body is empty; JSON is expected' : 'The body is not valid JSON'),
      );
    }
  } catch {
    return E.left(malformed('The body is not valid UTF-8'));
  }
};

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
