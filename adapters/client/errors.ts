/** Status and headers of an answer. */
export interface ResponseInfo {
  readonly status: number;
  readonly request_id: string | null;
  /** Position of the last event that the request wrote, with which the change can be reverted; null if it wrote nothing. */
  readonly position: string | null;
  /** Revision of the record, for `ifMatch`. */
  readonly revision: number | null;
  /** For name inferences: the id of the run, and the model. */
  readonly run_id: string | null;
  readonly model: string | null;
  /** Whether this is the stored answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** Query parameters that the operation does not know. */
  readonly ignored_parameters: ReadonlyArray<string>;
}

/** An error at one place of a request: `path` is that of a body's field, the name of a query parameter, or the key of a tag. */
export interface BodyError {
  readonly path: string;
  readonly message: string;
}

/** The base class of all errors that a call can reject with, except the reason of an aborted signal. */
export class MediaAnalysisError extends Error {
  override readonly name: string = 'MediaAnalysisError';
  /** The HTTP status; null if there was no readable answer. */
  readonly status: number | null = null;
  /** `detail.code` of the answer; null if the service gave only a text. */
  readonly code: string | null = null;
  readonly request_id: string | null = null;
  /** Whether a later call may succeed. The client has already made all allowed retries. */
  readonly retryable: boolean = false;
}

/** There was no complete answer: the service is unreachable, the network failed, or the answer was cut off. */
export class ConnectionError extends MediaAnalysisError {
  override readonly name: string = 'ConnectionError';
  override readonly retryable = true;
}

/** There was no complete answer within `timeoutMs`. The request may have been carried out nevertheless. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** The answer is not one of this service: it is not JSON, or has another shape. */
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

/** The results socket was closed before the end of its session. */
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

/** An error answer of the service: `message` is for people, `code` and `detail` are for programs. */
export interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  readonly request_id: string | null;
  readonly retryable: boolean;
  readonly retry_after_seconds: number | null;
  readonly reason: string | null;
  readonly detail: unknown;
  readonly errors: ReadonlyArray<BodyError>;
}

/** The service answered with an error. There are subclasses for common statuses. */
export class ApiError extends MediaAnalysisError {
  override readonly name: string = 'ApiError';
  declare readonly status: number;
  /** Seconds to wait before a retry; null if the service did not say. */
  declare readonly retry_after_seconds: number | null;
  /**
   * Why there is not enough credit: for a name inference (`X-Refusal-Reason`) `zero_balance`, `negative_balance`,
   * `window_used_up`, `held` or `max_credits`, for a realtime session `balance` or `window`; null for other errors.
   */
  declare readonly reason: string | null;
  /** The unchanged `detail` of the answer. */
  declare readonly detail: unknown;
  /** The errors in a malformed body (at most 20), in several query parameters, or of refused tags. */
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
/** 401: the API key is missing or invalid, or lacks permission. */
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
/** 412: the record does not have the revision in `ifMatch`. */
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

/** The error for an error answer, of the class of its status. */
export const apiError = (refusal: Refusal): ApiError =>
  new (classes[refusal.status] ?? (refusal.status >= 500 ? ServerError : ApiError))(refusal);

const maxShownErrors = 5;

/** Describes an error in one line for people: status, code, message, and the places in the body that are wrong. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  if (!(error instanceof ApiError)) return error.message;
  const { status, code, message, errors } = error;
  const others = errors.filter(
    (one) => !message.includes(`${one.path} ${one.message}`) && !message.includes(`${one.path}: ${one.message}`),
  );
  const listed = others.slice(0, maxShownErrors).map((one) => `${one.path}: ${one.message}`);
  const more = others.length > maxShownErrors ? `; and ${others.length - maxShownErrors} more` : '';
  const places = listed.length === 0 ? '' : ` (${listed.join('; ')}${more})`;
  return `${message.startsWith(`${status} `) ? '' : `${status} `}${code === null ? '' : `${code}: `}${message}${places}`;
};
