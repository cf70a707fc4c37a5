import type { IncomingHttpHeaders } from 'node:http';
import type * as t from 'io-ts';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { Caller, RequestContext } from '../../application/commands/context.js';
import type { ReadBytes } from './bodies/read-bytes.js';
import type { ReceivedBody } from './bodies/received-body.js';
import type { UnreadableBody } from './bodies/receive.js';
import type { AnswerHeader, Place, Refusable, RefusalTag, Who } from './declared.js';
import type { Parameter } from './parameters.js';
import type { Query } from './query.js';
import type { Refusal } from './refusals.js';

/** What an endpoint is told of a request before its body and its conditions are looked at. */
export interface Visit {
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The cursor of a next page as the client is given it: with another list or other filters it is refused. */
  readonly seal: (cursor: string | null) => string | null;
  readonly request: Pick<RequestContext, 'caller'>;
  /** Whether the client has gone away, so that nobody needs the answer. */
  readonly isGone: () => boolean;
}

/** What it is told once these are in order. */
export interface Call extends Visit {
  readonly request: RequestContext;
}

/** What is looked at once the resource is found and the caller may do this with it: the body first. */
export interface Enclosed {
  /** Receives the body. It has not been read before, and can be once. */
  readonly body: TE.TaskEither<UnreadableBody, ReceivedBody>;
  readonly read: ReadBytes;
  /** Looks at the idempotency key, once the body has come; null for a request without one. */
  readonly once: (body: ReceivedBody | null) => TE.TaskEither<Refusal, Once>;
  /** Looks at the conditions in the headers; a read waits for the position that it asks for. */
  readonly admit: TE.TaskEither<Refusal, RequestContext>;
}

/** What an endpoint says of a request that may have an idempotency key. */
export interface OnceRules {
  /** A dry run: the key is ignored. */
  readonly writesNothing: boolean;
  /** For an answer that holds a secret: whether what has this id was made. */
  readonly made: ((id: string) => TE.TaskEither<Refusal, boolean>) | null;
}

/** How a request is served once for its idempotency key. */
export interface Once {
  /** The answer that an earlier one got; null where there is none. */
  readonly stored: Answer | null;
  readonly serve: (
    request: RequestContext,
    rules: OnceRules,
    run: (request: RequestContext) => TE.TaskEither<Refusal, Answer>,
  ) => TE.TaskEither<Refusal, Answer>;
}

export interface Answer<Body = unknown> {
  /** Null where it is at hand as JSON, or comes in parts. */
  readonly body: Body | null;
  /** The body holds a secret, which is shown once: this is the id of what was made. */
  readonly secret_of?: string;
  /** The body as JSON, where it is at hand; null and absent: it is made of the body. */
  readonly json?: Uint8Array | null;
  /** Instead of the body: texts that are sent one after the other, each when the client has taken the one before. */
  readonly parts?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A short answer is written at once, but ended then: others are still to be answered. Null and absent: at once. */
  readonly endsAfter?: Promise<void> | null;
}

/**
 * One endpoint as data. The order of checks is the contract's: the caller is known by now; `find` refuses what does
 * not exist and then who may not; then the body's shape is checked, then the headers' conditions; the rest is `serve`'s.
 */
export interface Endpoint extends Place {
  readonly access: ReadonlyArray<Who>;
  /** Everything that it may refuse. */
  readonly refuses: ReadonlyArray<RefusalTag>;
  /** What its answer looks like. */
  readonly answer: t.Mixed;
  readonly headers: ReadonlyArray<AnswerHeader>;
  /** The query parameters that it knows; others are ignored, and the answer names them. */
  readonly query: ReadonlyArray<Parameter>;
  /** It looks after the idempotency key itself, or writes nothing. */
  readonly ownKey: boolean;
  /** Largest body in bytes; null when the endpoint takes none. */
  readonly bodyLimit: number | null;
  /** What a body must look like; null when the endpoint takes none. */
  readonly body: t.Mixed | null;
  /** An empty body counts as `{}`. */
  readonly bodyOptional: boolean;
  /** Recognises callers that only this endpoint knows; null: an API key is asked for. */
  readonly callerOf?: (headers: IncomingHttpHeaders, params: Visit['params']) => TE.TaskEither<Refusal, Caller> | null;
  readonly serve: (visit: Visit, enclosed: Enclosed) => TE.TaskEither<Refusal, Answer>;
}

/** Finds what a request is about and asks whether the caller may do this with it, and says whom it lets pass. */
export interface Finder<Found, Tag extends RefusalTag> {
  readonly access: ReadonlyArray<Who>;
  readonly refuses: ReadonlyArray<Tag>;
  readonly find: (visit: Visit) => TE.TaskEither<Refusable<Tag>, Found>;
}
