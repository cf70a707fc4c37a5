/** What to tell a person for each code of the service; `again` says whether trying again can help. */
const byCode = {
  insufficient_credits: { words: 'The credit has run out. Top up the account, then start again.', again: false },
  at_capacity: { words: 'All sessions are taken at the moment.', again: true },
  analysis_unavailable: { words: 'The analysis cannot be reached at the moment.', again: true },
  server_shutdown: { words: 'The service is being restarted.', again: true },
  negotiation_timeout: { words: 'The connection was not made in time.', again: true },
  idle_timeout: { words: 'Nothing was sent for a while, so the session ended.', again: true },
  expired: { words: 'The session has lasted as long as a session may.', again: true },
  invalid_sdp: { words: 'The service cannot answer what this browser offers.', again: false },
  invalid_ice_candidate: { words: 'The service did not take an address of this browser.', again: true },
  session_on_other_instance: { words: 'The session is held by another instance of the service.', again: true },
};

const byClose = {
  'Missing authentication token': 'The results need a token.',
  'Invalid or expired token': 'The token is no longer valid.',
  'Missing session_id query parameter': 'The address of the results names no session.',
  'Insufficient credits for realtime session': byCode.insufficient_credits.words,
  'Session not found': 'The session has ended.',
  'Session is not resumable': 'A session cannot be taken up again once its results were cut off.',
  'Session has a results socket already': 'The results of this session are open in another window.',
  'Reading too slowly': 'This page did not read its results fast enough.',
};

/** An error of the service, with words for a person. */
export class ServiceError extends Error {
  constructor(words, again, retryAfter = 0, status = 0) {
    super(words);
    this.again = again;
    this.retryAfter = retryAfter;
    this.status = status;
  }
}

export const errorOfCode = (code, otherwise, retryAfter = 0) => {
  const known = byCode[code];
  return new ServiceError(known?.words ?? otherwise, known?.again ?? false, retryAfter);
};

/** The error in an answer of the service. */
export const errorOfAnswer = (status, detail, retryAfter) => {
  if (status === 401)
    return new ServiceError(
      'The service does not accept the key of the page’s server, or the token of the session.',
      false,
    );
  if (status === 404) return new ServiceError('The session has ended.', true, 0, 404);
  if (typeof detail === 'object' && detail !== null) return errorOfCode(detail.code, detail.message, retryAfter);
  return new ServiceError(String(detail ?? `The service answered ${status}.`), status >= 500, retryAfter);
};

/** The error in the close of a results socket. */
export const errorOfClose = (code, reason) =>
  new ServiceError(
    byClose[reason] ??
      (code === 1006 ? 'The connection to the service was lost.' : `The results ended: ${reason || code}.`),
    reason !== 'Insufficient credits for realtime session',
  );

/** The error of a microphone that is not given. */
export const errorOfMicrophone = (error) => {
  const words = {
    InsecureContext: 'A browser gives the microphone only to pages over https or of localhost.',
    NotAllowedError: 'This page may not use the microphone. Allow it in the browser, then start again.',
    NotFoundError: 'There is no microphone.',
    NotReadableError: 'The microphone is in use by another program.',
  };
  return new ServiceError(words[error?.name] ?? 'The microphone cannot be used.', false);
};
