import type { Contention, RevisionChanged, UnreadableEvent } from '../../../application/failures.js';
import type { MediumErased } from '../../../domain/kernel/erased.js';
import type { AppendTooLarge, AppendUnreadable, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { DocumentReaderFailed } from '../../../application/ports/provider-documents.js';
import type { EngineUnavailable, InvalidIceCandidate, InvalidSdp } from '../../../application/ports/realtime-engine.js';
import type { NoCreditToStart } from '../../../application/realtime/admit-session.js';
import type { InvalidSessionToken } from '../../../application/realtime/open-results.js';
import type { SessionElsewhere } from '../../../application/realtime/negotiate.js';
import type { RunTakenOver } from '../../../application/name-inference/name-inference.js';
import type { NameModelFailed } from '../../../application/ports/name-model.js';
import type { LogNotSealed } from '../../../application/use-cases/erasure/erase.js';
import type { NotAuthorised } from '../../../application/queries/authorise.js';
import type { UnavailableVideo, UnavailableAudio } from '../../../application/use-cases/videos/register.js';
import type { UnknownEvent } from '../../../application/use-cases/undo/find-change.js';
import type { NotRevertible } from '../../../application/use-cases/undo/undone.js';
import type { AccessRefusal } from '../../../domain/access/contract.js';
import type { AudioRefusal } from '../../../domain/audio/contract.js';
import type { IdempotencyKeyRefusal } from '../../../domain/idempotency-key/contract.js';
import type { CreditAccountRefusal } from '../../../domain/credit-account/contract.js';
import type { MatchRunRefusal } from '../../../domain/match-run/contract.js';
import type { NameInferenceRefusal } from '../../../domain/name-inference/contract.js';
import type { InquiryRefusal } from '../../../domain/name-inference/eligibility.js';
import type { AtCapacity } from '../../../domain/realtime-capacity/contract.js';
import type { RealtimeSessionRefusal } from '../../../domain/realtime-session/contract.js';
import type { VideoRefusal } from '../../../domain/video/contract.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../../../projections/queries.js';
import type { BodyReaderFailed, UnreadableBody } from '../body.js';
import type { MalformedBody } from '../decode.js';
import type { BadHeader } from '../headers.js';
import type { HttpError } from './http-error.js';
import type { BadQuery } from '../query.js';
import type { TooManyRequests } from '../requests-at-work.js';
import type { Unauthenticated } from '../authenticate.js';
import type { BadRegistryKey } from './tag-refusals.js';

/** Resources named in the path that do not exist, in addition to those that the domain refuses. */
type Absent =
  | { readonly _tag: 'NoSuchRevision' }
  | { readonly _tag: 'UnknownFace' }
  | { readonly _tag: 'UnknownSpeaker' }
  | { readonly _tag: 'SuggestionsPending' }
  | { readonly _tag: 'NoSuggestions' }
  | { readonly _tag: 'NoTranscript' };

/** The answer of an earlier request with the same idempotency key contained a secret; `id` is what that request created. */
interface SecretNotRepeatable {
  readonly _tag: 'SecretNotRepeatable';
  readonly id: string;
}

/** Everything that can keep a request from being served. */
export type Refusal =
  | VideoRefusal
  | AudioRefusal
  | MatchRunRefusal
  | AccessRefusal
  | InquiryRefusal
  | NameInferenceRefusal
  | IdempotencyKeyRefusal
  | NameModelFailed
  | RealtimeSessionRefusal
  | AtCapacity
  | NoCreditToStart
  | EngineUnavailable
  | DocumentReaderFailed
  | InvalidSdp
  | InvalidIceCandidate
  | SessionElsewhere
  | InvalidSessionToken
  | RunTakenOver
  | CreditAccountRefusal
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
  | BadRegistryKey
  | SecretNotRepeatable
  | RevisionChanged
  | TooManyRequests
  | ReadModelBehind
  | ReadModelsUnavailable
  | StoreUnavailable
  | UnreadableEvent
  | AppendTooLarge
  | AppendUnreadable
  | MediumErased
  | LogNotSealed
  | Contention;

/** The ids in the path of the request, for messages. */
export type IdsInPath = Readonly<Record<string, string>>;

/** The HTTP answer to each refusal. */
export type RefusalAnswers = {
  readonly [Tag in Refusal['_tag']]: (refusal: Extract<Refusal, { _tag: Tag }>, ids: IdsInPath) => HttpError;
};
