import type * as t from 'io-ts';
import { type OperationId, operations } from '../runtime/operations.js';
import type { Parameter } from './parameters.js';
import type { Refusal } from './refusals.js';

const methods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
type Method = (typeof methods)[keyof typeof methods];

const isMethod = (text: string): text is keyof typeof methods => text in methods;

/** Where an operation is served. */
export interface Place {
  readonly operation: OperationId;
  readonly method: Method;
  /** As express takes it. */
  readonly path: string;
}

export const placeOf = (operation: OperationId): Place => {
  const [method = '', path = ''] = operations[operation].split(' ');
  if (!isMethod(method)) throw new Error(`${operation} has no method`);
  return { operation, method: methods[method], path: path.replaceAll(/\{(\w+)\}/g, ':$1') };
};

/** Who may call an endpoint: an admin may call all, `session_token` is the token of a session of the path. */
export type Who = 'anyone' | 'any_key' | 'owner' | 'admin' | 'WORKER' | 'MEDIA_WRITE' | 'session_token';

export type RefusalTag = Refusal['_tag'];
export type Refused<Tag extends RefusalTag> = Extract<Refusal, { readonly _tag: Tag }>;

/** What keeps requests from being served whatever the endpoint is about, by what the endpoint is like. */
export const usualRefusals = {
  always: [
    'Unauthenticated',
    'StoreUnavailable',
    'UnreadableEvent',
    'MediumErased',
    'ReadModelBehind',
    'ReadModelsUnavailable',
  ],
  header: ['BadHeader'],
  write: ['AppendTooLarge', 'AppendUnreadable', 'Contention', 'RevisionChanged'],
  key: ['KeyReused', 'WriteHeld', 'WriteTakenOver'],
  secret: ['SecretNotRepeatable'],
  body: ['MalformedBody', 'PayloadTooLarge', 'UnsupportedEncoding', 'ServerBusy', 'BodyReaderFailed', 'BodyCutOff'],
  query: ['BadQuery'],
  page: ['InvalidCursor'],
} as const satisfies Readonly<Record<string, ReadonlyArray<RefusalTag>>>;

type UsualTag = (typeof usualRefusals)[keyof typeof usualRefusals][number];

/** What an endpoint may refuse that declares these. */
export type Refusable<Tag extends RefusalTag> = Refused<Tag | UsualTag>;

/** The headers of an answer that say something of it alone. */
export type AnswerHeader = 'ETag' | 'X-Run-Id' | 'X-Model';

/** What an endpoint says of itself, beside its body and who may call it. */
export interface Declared<Body, Tag extends RefusalTag> {
  readonly operation: OperationId;
  /** What its answer looks like, and how it is encoded. */
  readonly answer: t.Type<Body, unknown>;
  /** What it refuses beside what is usual, and what the finding of its resource refuses. */
  readonly refuses?: ReadonlyArray<Tag>;
  /** The query parameters that it knows; others are ignored, and the answer names them. */
  readonly query?: ReadonlyArray<Parameter>;
  readonly headers?: ReadonlyArray<AnswerHeader>;
}
