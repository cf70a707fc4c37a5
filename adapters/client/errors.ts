/** What an answer says of itself beside its body. */
export interface ResponseInfo {
  readonly status: number;
  readonly request_id: string | null;
  /** Position of the last event that the request wrote; null where it wrote nothing. It names the change for an undo. */
  readonly position: string | null;
  /** Revision of the record that was read, for `ifMatch`. */
  readonly revision: number | null;
  /** Of a name inference: its run and the model that was asked. */
  readonly run_id: string | null;
  readonly model: string | null;
  /** Whether this is the answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** Query parameters that the service does not know. */
  readonly ignored_parameters: ReadonlyArray<string>;
}

/** One place of a body that does not fit. */
export interface BodyError {
  readonly path: string;
  readonly message: string;
}

/** Everything that a call can reject with, apart from the reason of an aborted signal. */
export class MediaAnalysisError extends Error {
  override readonly name: string = 'MediaAnalysisError';
  /** Null: there was no answer, or none that can be read. */
  readonly status: number | null = null;
  /** As in `detail.code`; null where the service gave a text alone. */
  readonly code: string | null = null;
  readonly request_id: string | null = null;
  /** Whether the same call may succeed later. The client has tried as often as it was allowed to. */
  readonly retryable: boolean = false;
}

/** No answer came: nothing listens there, the network failed, or the answer was cut off. */
export class ConnectionError extends MediaAnalysisError {
  override readonly name: string = 'ConnectionError';
  override readonly retryable = true;
}

/** No whole answer came within `timeoutMs`. What was asked for may have been done all the same. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** An answer came that is not of this service: no JSON, or of another shape. */
export class MalformedAnswerError extends MediaAnalysisError {
  override readonly name = 'MalformedAnswerError';
  override readonly status: number | null;
  override readonly request_id: string | null;
  constructor(message: string, status: number | null = null, request_id: string | null = null) {
    super(message);
    this.status = status;
    this.request_id = request_id;
  }
}

/** The results socket was closed otherwise than at the end of its session. */
export class ResultsClosedError extends MediaAnalysisError {
  override readonly name = 'ResultsClosedError';
  readonly close_code: number;
  readonly reason: string;
  constructor(close_code: number, reason: string) {
    super(`the results socket was closed with ${close_code}${reason === '' ? '' : `: ${reason}`}`);
    this.close_code = close_code;
    this.reason = reason;
  }
}

/** What the service said when it refused: `message` is for people, `code` and `detail` are for programs. */
export interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly request_id: string | null;
  readonly retryable: boolean;
  readonly retry_after_seconds: number | null;
  readonly detail: unknown;
  readonly errors: ReadonlyArray<BodyError>;
}

/** The service refused; each status that clients tell apart has a class of its own. */
export class ApiError extends MediaAnalysisError {
  override readonly name: string = 'ApiError';
  declare readonly status: number;
  /** When to try again, where the service said so. */
  declare readonly retry_after_seconds: number | null;
  /** `detail` of the answer as it came. */
  declare readonly detail: unknown;
  /** Of a body that does not fit: its places, at most 20. */
  declare readonly errors: ReadonlyArray<BodyError>;
  constructor({ message, ...facts }: Refusal) {
    super(message);
    Object.assign(this, facts);
  }
}

/** 400 */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
}
/** 401: no key, a wrong one, or one that does not permit this. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
}
/** 402 */
export class InsufficientCreditsError extends ApiError {
  override readonly name = 'InsufficientCreditsError';
}
/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
}
/** 409 */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
}
/** 410: the record was erased. */
export class GoneError extends ApiError {
  override readonly name = 'GoneError';
}
/** 412: the record has another revision than `ifMatch` says. */
export class RevisionChangedError extends ApiError {
  override readonly name = 'RevisionChangedError';
}
/** 422 */
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError';
}
/** 429 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
}
/** 500 and above. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: InsufficientCreditsError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  412: RevisionChangedError,
  422: UnprocessableError,
  429: RateLimitError,
};

/** The error of a refusal, of the class that its status has. */
export const apiError = (refusal: Refusal): ApiError =>
  new (classes[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiError))(refusal);
