/** Message to show for each error code of the service, and whether a retry can help. */
const byCode = {
  insufficient_credits: { message: 'The credit has run out. Top up the account, then start again.', retryable: false },
  at_capacity: { message: 'All sessions are in use at the moment.', retryable: true },
  analysis_unavailable: { message: 'The analysis cannot be reached at the moment.', retryable: true },
  server_shutdown: { message: 'The service is being restarted.', retryable: true },
  negotiation_timeout: { message: 'The connection was not made in time.', retryable: true },
  idle_timeout: { message: 'Nothing was sent for a while, so the session ended.', retryable: true },
  expired: { message: 'The session has reached its maximum duration.', retryable: true },
  invalid_sdp: { message: 'The service cannot answer what this browser offers.', retryable: false },
  invalid_ice_candidate: { message: 'The service did not accept a network address of this browser.', retryable: true },
  session_on_other_instance: { message: 'The session is held by another instance of the service.', retryable: true },
};

const byClose = {
  'Missing authentication token': 'The results socket needs a token.',
  'Invalid or expired token': 'The token is no longer valid.',
  'Missing session_id query parameter': 'The address of the results socket contains no session.',
  'Insufficient credits for realtime session': byCode.insufficient_credits.message,
  'Session not found': 'The session has ended.',
  'Session is not resumable': 'A session cannot be resumed after its results socket was closed.',
  'Session has a results socket already': 'The results of this session are open in another window.',
  'Reading too slowly': 'This page did not read its results fast enough.',
};

/** An error with a message for people. */
export class ServiceError extends Error {
  constructor(message, retryable, retryAfter = 0, status = 0) {
    super(message);
    this.retryable = retryable;
    this.retryAfter = retryAfter;
    this.status = status;
  }
}

/** A spending window opens by itself; topping up the account does not help. */
const windowMessage = (retryAfter) => {
  const until = new Date(Date.now() + retryAfter * 1_000).toLocaleString();
  const when = retryAfter > 0 ? ` It has room again at ${until}.` : '';
  return `The spending window of the account is used up.${when}`;
};

export const errorOfCode = (code, fallback, { retry_after_seconds: retryAfter = 0, reason } = {}) => {
  if (code === 'insufficient_credits' && reason === 'window') return new ServiceError(windowMessage(retryAfter), false);
  const known = byCode[code];
  return new ServiceError(known?.message ?? fallback, known?.retryable ?? false, retryAfter);
};

/** The error of an HTTP answer. */
export const errorOfAnswer = (status, detail, retryAfter) => {
  if (status === 401)
    return new ServiceError(
      'The service does not accept the key of the page’s server, or the token of the session.',
      false,
    );
  if (status === 404) return new ServiceError('The session has ended.', true, 0, 404);
  if (typeof detail === 'object' && detail !== null) return errorOfCode(detail.code, detail.message, detail);
  return new ServiceError(String(detail ?? `The service answered ${status}.`), status >= 500, retryAfter);
};

/** The error of a closed results socket. */
export const errorOfClose = (code, reason) =>
  new ServiceError(
    byClose[reason] ??
      (code === 1006 ? 'The connection to the service was lost.' : `The results ended: ${reason || code}.`),
    reason !== 'Insufficient credits for realtime session',
  );

/** The error of a microphone that cannot be opened. */
export const errorOfMicrophone = (error) => {
  const messages = {
    InsecureContext: 'The microphone is available only to pages from https or localhost.',
    NotAllowedError: 'This page may not use the microphone. Allow it in the browser, then start again.',
    NotFoundError: 'There is no microphone.',
    NotReadableError: 'The microphone is in use by another program.',
  };
  return new ServiceError(messages[error?.name] ?? 'The microphone cannot be used.', false);
};
