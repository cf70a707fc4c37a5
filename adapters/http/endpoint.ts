import type { IncomingHttpHeaders } from 'node:http';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type * as t from 'io-ts';
import type { Application } from '../../application/application.js';
import type { Caller, RequestContext } from '../../application/commands/context.js';
import type { EvidenceLists } from '../../application/evidence/evidence-lists.js';
import type { Failure } from '../../application/failures.js';
import type { WriteOnce } from '../../application/idempotency/keyed-writes.js';
import type { NameInference } from '../../application/name-inference/name-inference.js';
import type { ProviderDocuments } from '../../application/ports/provider-documents.js';
import type { Realtime } from '../../application/realtime/realtime.js';
import type { KeyId } from '../../domain/kernel/ids.js';
import type { InvalidCursor, Queries, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import { type OperationId, operations } from '../runtime/operations.js';
import type { Body as ReceivedBody, ReadBody, UnreadableBody } from './body.js';
import type { ParameterDescription, Query } from './parameters.js';
import type { Refusal } from './refusals/refusals.js';

/** What the endpoints depend on. */
export interface Service {
  readonly app: Application;
  readonly queries: Queries;
  readonly inference: NameInference;
  readonly documents: ProviderDocuments;
  readonly realtime: Realtime;
  readonly evidence: EvidenceLists;
  /** The URL at which clients reach the service; null: the host of the request. */
  readonly public_url: string | null;
  /** Waits until the read models include everything that this instance has acknowledged. */
  readonly upToDate: () => TE.TaskEither<ReadModelBehind, void>;
  /** Called when the revocation of a key is durable. */
  readonly keyRevoked: (key_id: KeyId) => void;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;
type Method = (typeof methods)[number];

/** The method and path of an operation. */
export interface Place {
  readonly operation: OperationId;
  readonly method: Method;
  /** With path parameters in braces. */
  readonly template: string;
  /** In the syntax of express. */
  readonly path: string;
}

const placeIn = (text: string): Omit<Place, 'operation'> => {
  const [given = '', template = ''] = text.split(' ');
  const method = methods.find((one) => one === given.toLowerCase());
  if (method === undefined) throw new Error(`${text} has no method`);
  return { method, template, path: template.replaceAll(/\{(\w+)\}/g, ':$1') };
};

export const placeOf = (operation: OperationId): Place => ({ operation, ...placeIn(operations[operation]) });

/** All places, those without path parameters first, because they are more specific. */
export const places = Object.values(operations)
  .map(placeIn)
  .sort((one, other) => one.template.split('{').length - other.template.split('{').length);

/** Who may call an endpoint. Admin keys may call all; `session_token` is the token of the session in the path. */
export type AllowedCaller = 'anyone' | 'any_key' | 'owner' | 'admin' | 'WORKER' | 'MEDIA_WRITE' | 'session_token';

export type RefusalTag = Refusal['_tag'];
type ByTag = { readonly [Tag in RefusalTag]: Extract<Refusal, { readonly _tag: Tag }> };
/** An interface, so that TypeScript compares generic tags by name. */
interface Refusals extends ByTag {}
export type Refused<Tag extends RefusalTag> = Refusals[Tag];

/** Refusals that do not depend on the subject of an endpoint, by the kind of endpoint. */
export const commonRefusals = {
  always: [
    'Unauthenticated',
    'TooManyRequests',
    'StoreUnavailable',
    'UnreadableEvent',
    'ReadModelBehind',
    'ReadModelsUnavailable',
  ],
  erasable: ['MediumErased'],
  header: ['BadHeader'],
  write: ['AppendTooLarge', 'AppendUnreadable', 'Contention', 'RevisionChanged'],
  key: ['KeyReused', 'WriteHeld', 'WriteTakenOver'],
  secret: ['SecretNotRepeatable'],
  body: ['MalformedBody', 'PayloadTooLarge', 'UnsupportedEncoding', 'ServerBusy', 'BodyReaderFailed', 'BodyCutOff'],
  query: ['BadQuery'],
  page: ['InvalidCursor'],
} as const satisfies Readonly<Record<string, ReadonlyArray<RefusalTag>>>;

type CommonTag = (typeof commonRefusals)[keyof typeof commonRefusals][number];

/** All refusals of an endpoint that declares these. */
export type Refusable<Tag extends RefusalTag> = Refused<Tag> | Refused<CommonTag>;

/** Answer headers that only some endpoints send. */
export type AnswerHeader = 'ETag' | 'X-Run-Id' | 'X-Model';

/** What an endpoint knows of a request before its body and preconditions are checked. */
export interface IncomingRequest {
  readonly service: Service;
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The cursor as it is given to the client: it is valid only for the same list and filters. */
  readonly clientCursor: (cursor: string | null) => string | null;
  readonly request: Pick<RequestContext, 'caller'>;
  /** Whether the client has disconnected, so that the answer is not needed. */
  readonly isGone: () => boolean;
}

/** A request whose preconditions are met. */
export interface Call extends IncomingRequest {
  readonly request: RequestContext;
}

/** The checks after the resource was found and the caller was authorised, in this order. */
export interface Checks {
  /** Receives the body; to be run only once. */
  readonly body: TE.TaskEither<UnreadableBody, ReceivedBody>;
  readonly read: ReadBody;
  /** Looks up the idempotency key. `body`: null for a request without a body. */
  readonly once: (body: ReceivedBody | null) => TE.TaskEither<Refusal, Once>;
  /**
   * Checks the form of the preconditions in the headers. A read waits until the read models include everything that this
   * instance has acknowledged, and the position that it requires.
   */
  readonly admit: TE.TaskEither<Refusal, RequestContext>;
}

/** What an endpoint says about a request that may have an idempotency key. */
export interface OnceRules {
  /** A dry run: the key is ignored. */
  readonly writesNothing: boolean;
  /** What an interrupted write has come to, by the id of what it creates. */
  readonly interrupted?: WriteOnce<Answer, Refusal>['interrupted'];
  readonly abandoned_after_seconds?: number | undefined;
}

/** Serves a request once per idempotency key. */
export interface Once {
  /** The answer of an earlier request with the same key; null if there is none. */
  readonly stored: Answer | null;
  /** Whether the same request was begun before, so that its own writes may have changed the revision. */
  readonly isBegun: TE.TaskEither<Refusal, boolean>;
  readonly serve: (
    request: RequestContext,
    rules: OnceRules,
    run: (request: RequestContext) => TE.TaskEither<Refusal, Answer>,
  ) => TE.TaskEither<Refusal, Answer>;
}

export interface Answer<Body = unknown> {
  /** Null if the answer is given as JSON or in parts. */
  readonly body: Body | null;
  /** The body contains a secret, which is shown only once. This is the id of what was created. */
  readonly secret_of?: string;
  /** The body as it is sent, if it is already available. */
  readonly json?: Uint8Array | null;
  /** Instead of the body: parts that are sent one after the other, each when the client has received the one before. */
  readonly parts?: AsyncIterable<Uint8Array>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One endpoint as data. The order of checks is part of the contract: the caller; then `find` refuses a resource that does
 * not exist, and then a caller without permission; then the body is decoded; then the headers are checked.
 */
export interface Endpoint extends Place {
  readonly summary: string;
  readonly description: string;
  readonly access: ReadonlyArray<AllowedCaller>;
  /** All its refusals. */
  readonly refuses: ReadonlyArray<RefusalTag>;
  /** Describes the answer. */
  readonly answer: t.Mixed;
  readonly headers: ReadonlyArray<AnswerHeader>;
  /** The known query parameters. Others are ignored and reported in a header of the answer. */
  readonly query: ReadonlyArray<ParameterDescription>;
  /** The endpoint writes nothing. */
  readonly ignoresKey: boolean;
  /** Maximum length of the body in bytes; null if the endpoint takes no body. */
  readonly bodyLimit: number | null;
  /** Describes the body; null if the endpoint takes no body. */
  readonly body: t.Mixed | null;
  /** An empty body is treated as `{}`. */
  readonly bodyOptional: boolean;
  /** Recognises callers that only this endpoint knows; null: an API key is required. */
  readonly callerOf?: (
    request: Pick<IncomingRequest, 'service' | 'headers' | 'params'>,
  ) => TE.TaskEither<Refusal, Caller> | null;
  readonly serve: (visit: IncomingRequest, checks: Checks) => TE.TaskEither<Refusal, Answer>;
}

/** Finds the resource of a request and checks the permission of the caller. `access` lists who may pass. */
export interface Finder<Found, Tag extends RefusalTag> {
  readonly access: ReadonlyArray<AllowedCaller>;
  readonly refuses: ReadonlyArray<Tag>;
  readonly find: (visit: IncomingRequest) => TE.TaskEither<Refusable<Tag>, Found>;
  /** The record that a request writes to, for `If-Match`; absent if it writes to none that exists. */
  readonly recordOf?: (found: Found, service: Service) => TE.TaskEither<Failure, { readonly revision: number }>;
}

/** Why the read models give no list. */
export type NotListed = InvalidCursor | ReadModelsUnavailable;
