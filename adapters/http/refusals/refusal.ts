import type { Tagged } from '../../../domain/kernel/decider.js';
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
import type { NotAuthorised } from '../../../application/queries/request-checks.js';
import type { NoSuchRevision } from '../../../application/queries/records.js';
import type { UnavailableVideo, UnavailableAudio } from '../../../application/use-cases/videos/register.js';
import type { UnknownEvent } from '../../../application/use-cases/undo/find-change.js';
import type { NotRevertible } from '../../../application/use-cases/undo/revert-change.js';
import type { InquiryRefusal, Ineligible } from '../../../domain/name-inference/eligibility.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../../../projections/queries.js';
import type { BodyReaderFailed, UnreadableBody } from '../body.js';
import type { MalformedBody } from '../decode.js';
import type { BadQuery } from '../parameters.js';
import type { BadHeader, Unauthenticated } from '../request-head.js';
import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import { type BadTag, type TagsRefused, TagKey, isFilterable } from '../../../domain/tag-registry/contract.js';

type WithoutFacts<Tag extends string> = Tag extends string ? { readonly _tag: Tag } : never;

/** Resources named in the path that do not exist, in addition to those that the domain refuses. */
type Absent = WithoutFacts<
  'UnknownFace' | 'UnknownSpeaker' | 'SuggestionsPending' | 'NoSuggestions' | 'NoTranscript' | 'BadRegistryKey'
>;

/** One account has the maximum of requests in progress. */
export type TooManyRequests = Tagged<'TooManyRequests', { most: number }>;

/** The answer of an earlier request with the same idempotency key contained a secret; `id` is what that request created. */
type SecretNotRepeatable = Tagged<'SecretNotRepeatable', { id: string }>;

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
  | NoSuchRevision
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

export const ineligibleFor: Readonly<Record<Ineligible, string>> = {
  meeting: 'it is a meeting',
  parent_meeting: 'its video is a meeting',
  provider_supplied: 'its transcript was supplied by a provider',
  transcript_replaced: 'its transcript was replaced',
  speech_segments: 'it has a speech_segments pointer',
};

/** Changes that cannot be reverted. */
export const irrevertible: Readonly<Record<NotRevertible['reason'], string>> = {
  registration: 'the registration of a record',
  link: 'the link of a video and an audio',
  analysis: 'an analysis',
  personality_data: 'personality data',
  transcript: 'a transcript',
  merge: 'a merge of speakers',
  deletion: 'the deletion of a speaker',
  trigger: 'the trigger of a match run',
  suggestions: 'stored suggestions',
  failed_run: 'the failure of a match run',
  renumbered: 'one from before faces or speakers were renumbered',
};

export const notCompleted = (code: 409 | 422, medium: 'video' | 'audio', status: ProcessingStatus): HttpError =>
  coded(code, `${medium}_not_completed`, `The processing of the ${medium} is not completed: its status is ${status}`, {
    status,
  });

/** RFC 9110, section 15.5.2: a 401 says how to authenticate. */
export const unauthorised = (detail: HttpError['detail']): HttpError => ({
  status: 401,
  detail,
  headers: { 'WWW-Authenticate': 'Bearer realm="media-analysis"' },
});

export const notAuthorised = (needs: NotAuthorised['needs']): HttpError['detail'] => {
  const code = 'not_authorised';
  switch (needs) {
    case 'owner':
      return { code, message: 'Only the owner may do this: the API key belongs to another account' };
    case 'admin':
      return { code, message: 'Only an administrator may do this: the API key is not an admin key' };
    default:
      return { code, message: `This API key lacks the permission ${needs}`, permission: needs };
  }
};

export const keyForm = 'a dotted path of at most 128 characters from A-Za-z0-9_-';

/** What a value of a type must be. */
const wanted: Readonly<Record<NonNullable<BadTag['value_type']>, string>> = {
  string: 'a string of well-formed Unicode',
  number: 'a finite number',
  boolean: 'true or false',
  string_list: 'a list of strings of well-formed Unicode',
};

const messageOf = ({ key, reason, category, value_type }: BadTag): string => {
  switch (reason) {
    case 'source_not_importer':
      return 'source must be importer. followed by a name of 1 to 128 characters from A-Za-z0-9._:-';
    case 'unregistered_key':
      return TagKey.is(key) && isFilterable(key)
        ? 'is not in the tag registry'
        : `is not a valid tag key: a key is ${keyForm}`;
    case 'category_not_importable':
      return `is of the category ${category ?? ''}, which cannot be imported`;
    case 'category_not_editable':
      return `is of the category ${category ?? ''}, which users cannot change`;
    case 'bad_value':
      return `must be ${value_type === null ? 'a different value' : wanted[value_type]}`;
    case 'duplicate_key':
      return 'appears more than once';
  }
};

/** The code is the reason if all bad tags have the same one, otherwise `tags_refused`. */
export const tagsRefused = ({ bad }: Pick<TagsRefused, 'bad'>): HttpError => {
  const errors = bad.map((tag) => ({ key: tag.key, reason: tag.reason, message: messageOf(tag) }));
  const [first] = errors;
  const same = errors.every(({ reason }) => reason === first?.reason);
  const others = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  return coded(
    400,
    same ? (first?.reason ?? 'tags_refused') : 'tags_refused',
    `No tag was changed: ${first?.key ?? ''}: ${first?.message ?? ''}${others}`,
    { errors },
  );
};
