import type { Kinds } from '../../../application/application.js';
import type { Failure, RevisionChanged } from '../../../application/failures.js';
import type { DocumentReaderFailed } from '../../../application/ports/provider-documents.js';
import type { EngineUnavailable, InvalidIceCandidate, InvalidSdp } from '../../../application/ports/realtime-engine.js';
import type { NoCreditToStart } from '../../../application/realtime/admit-session.js';
import type { InvalidSessionToken } from '../../../application/realtime/open-results.js';
import type { SessionElsewhere } from '../../../application/realtime/sessions.js';
import type { RunTakenOver } from '../../../application/name-inference/name-inference.js';
import type { NameModelFailed } from '../../../application/ports/name-model.js';
import type { LogNotSealed } from '../../../application/use-cases/erasure/erase.js';
import type { NotAuthorised } from '../../../application/queries/authorise.js';
import type { UnavailableVideo, UnavailableAudio } from '../../../application/use-cases/videos/register.js';
import type { UnknownEvent } from '../../../application/use-cases/undo/find-change.js';
import type { NotRevertible } from '../../../application/use-cases/undo/revert-change.js';
import type { InquiryRefusal } from '../../../domain/name-inference/eligibility.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../../../projections/queries.js';
import type { BodyReaderFailed, UnreadableBody } from '../body.js';
import type { MalformedBody } from '../decode.js';
import type { BadQuery } from '../parameters.js';
import type { BadHeader } from '../request-head.js';
import type { Unauthenticated } from '../authenticate.js';

type WithoutFacts<Tag extends string> = Tag extends string ? { readonly _tag: Tag } : never;

/** Resources named in the path that do not exist, in addition to those that the domain refuses. */
type Absent = WithoutFacts<
  | 'NoSuchRevision'
  | 'UnknownFace'
  | 'UnknownSpeaker'
  | 'SuggestionsPending'
  | 'NoSuggestions'
  | 'NoTranscript'
  | 'BadRegistryKey'
>;

/** One account has the maximum of requests in progress. */
export interface TooManyRequests {
  readonly _tag: 'TooManyRequests';
  readonly most: number;
}

/** The answer of an earlier request with the same idempotency key contained a secret; `id` is what that request created. */
interface SecretNotRepeatable {
  readonly _tag: 'SecretNotRepeatable';
  readonly id: string;
}

/** Everything that can keep a request from being served. */
export type Refusal =
  | Kinds[keyof Kinds]['refusal']
  | InquiryRefusal
  | NameModelFailed
  | NoCreditToStart
  | EngineUnavailable
  | DocumentReaderFailed
  | InvalidSdp
  | InvalidIceCandidate
  | SessionElsewhere
  | InvalidSessionToken
  | RunTakenOver
  | UnavailableVideo
  | UnavailableAudio
  | UnknownEvent
  | NotRevertible
  | NotAuthorised
  | Unauthenticated
  | MalformedBody
  | BadQuery
  | BadHeader
  | UnreadableBody
  | BodyReaderFailed
  | InvalidCursor
  | Absent
  | SecretNotRepeatable
  | RevisionChanged
  | TooManyRequests
  | ReadModelBehind
  | ReadModelsUnavailable
  | LogNotSealed
  | Failure;

/** The answer to a request that is refused or fails (specification, section 7.1). */
export interface HttpError {
  readonly status: number;
  readonly detail: string | ({ readonly code: string; readonly message: string } & Readonly<Record<string, unknown>>);
  readonly headers?: Readonly<Record<string, string>>;
}

export const coded = (
  status: number,
  code: string,
  message: string,
  facts: Readonly<Record<string, unknown>> = {},
): HttpError => ({ status, detail: { code, message, ...facts } });

/** The client should retry after `retry_after_seconds`. */
export const retryable = (
  status: 429 | 503,
  code: string,
  message: string,
  retry_after_seconds = 1,
  facts: Readonly<Record<string, unknown>> = {},
): HttpError => ({
  ...coded(status, code, message, { ...facts, retryable: true, retry_after_seconds }),
  headers: { 'Retry-After': String(retry_after_seconds) },
});

/** 503: temporarily unavailable. */
export const later = (code: string, message: string, retry_after_seconds?: number): HttpError =>
  retryable(503, code, message, retry_after_seconds);

/** The answer to a request whose handling threw. */
export const unexpected: HttpError = coded(500, 'internal_error', 'Internal server error');

/** The ids in the path of the request, for messages. */
export type IdsInPath = Readonly<Record<string, string>>;

/** The facts of a refusal. */
export type Facts<Tag extends Refusal['_tag']> = Omit<Extract<Refusal, { _tag: Tag }>, '_tag'>;

/** The answer to a refusal. */
export type ErrorOf<Of> = (facts: Of, ids: IdsInPath) => HttpError;

/** A message in which `{name}` stands for a fact or an id in the path, and `{ name|otherwise}` for one that may be absent. */
const filled = (message: string, facts: object): string =>
  message.replaceAll(/\{( ?)(\w+)(?:\|([^}]*))?\}/g, (_, space: string, name: string, otherwise: string | undefined) =>
    name in facts ? `${space}${String(Reflect.get(facts, name))}` : (otherwise ?? ''),
  );

/** An answer whose message may name facts. */
export const refused =
  (status: number, code: string, message: string): ErrorOf<object> =>
  (facts, ids) =>
    coded(status, code, filled(message, { ...ids, ...facts }));

/** As `refused`, with the facts as fields too. */
export const withFacts =
  (status: number, code: string, message: string): ErrorOf<object> =>
  (facts) => {
    const fields = Object.entries(facts).filter(([name]) => name !== '_tag');
    return coded(status, code, filled(message, facts), Object.fromEntries(fields));
  };

export const unavailable = (code: string, message: string, seconds?: number) => (): HttpError =>
  later(code, message, seconds);
