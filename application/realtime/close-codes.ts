import type { EndReason } from '../../domain/realtime-session/contract.js';
import type { CreditShortage } from './admit-session.js';
import type { ResultsFrame } from './results-frames.js';

type Close = readonly [code: number, reason: string];

/** The codes and reasons with which a results socket is closed (specification, 7.4; contract, Realtime). */
export const closes = {
  MissingToken: [1008, 'Missing authentication token'],
  InvalidToken: [1008, 'Invalid or expired token'],
  MissingSessionId: [1008, 'Missing session_id query parameter'],
  InsufficientCredits: [1008, 'Insufficient credits for realtime session'],
  TooManyMessages: [1008, 'Too many messages'],
  NoSuchSession: [4404, 'Session not found'],
  TimedOut: [4408, 'Session timed out'],
  NotResumable: [4409, 'Session is not resumable'],
  AlreadyOpen: [4429, 'Session has a results socket already'],
  Ended: [1000, 'Session ended'],
  ShuttingDown: [1001, 'Server is shutting down'],
  Lost: [1011, 'Server lost the session'],
  Unwritable: [1011, 'The session cannot be written'],
  Unreadable: [1011, 'The session cannot be read'],
  HeldElsewhere: [1013, 'Session is on another instance'],
  ReadingTooSlowly: [1013, 'Reading too slowly'],
  Unavailable: [1013, 'Try again later'],
} as const satisfies Readonly<Record<string, Close>>;

interface FinalMessage {
  readonly error: Omit<Extract<ResultsFrame, { type: 'error' }>, 'type' | 'code'> | null;
  readonly close: Close;
}

/** The last message of a session that was ended for lack of credit, if it is known what the account lacks. */
export const creditError = ({ reason, retry_after_seconds }: CreditShortage): FinalMessage['error'] => ({
  error:
    reason === 'window'
      ? 'The session was ended because the spending window is used up'
      : 'The session was ended because the credits ran out',
  reason,
  retryable: retry_after_seconds !== null,
  ...(retry_after_seconds === null ? {} : { retry_after_seconds }),
});

const after = (
  close: Close,
  error: string,
  retryable: boolean,
  when: { readonly retry_after_seconds?: number } = {},
): FinalMessage => ({ error: { error, retryable, ...when }, close });

/** The last message to a listener and the close code, by the reason for which the session ended. */
export const finalMessages: Readonly<Record<EndReason, FinalMessage>> = {
  requested: { error: null, close: closes.Ended },
  insufficient_credits: after(closes.InsufficientCredits, 'The session was ended because the credits ran out', false),
  negotiation_timeout: after(closes.TimedOut, 'The session was ended because no offer came', true),
  idle_timeout: after(closes.TimedOut, 'The session was ended because it had neither media nor a listener', true),
  expired: after(closes.TimedOut, 'The session was ended because its time was up', true),
  key_revoked: after(closes.InvalidToken, 'The key that created the session was revoked or has expired', false),
  server_shutdown: after(closes.ShuttingDown, 'The server is shutting down', true, { retry_after_seconds: 5 }),
  server_lost: after(closes.Lost, 'The server lost the session', true),
};
