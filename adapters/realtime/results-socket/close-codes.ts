import type { Failure } from '../../../application/failures.js';
import type { ResultsRefused } from '../../../application/realtime/open-results.js';

type Close = readonly [code: number, reason: string];

const unavailable: Close = [1013, 'Try again later'];

/** The close code and reason of each refusal (specification, 7.4; contract, Realtime): one without does not compile. */
const table: Readonly<Record<ResultsRefused['_tag'] | Failure['_tag'], Close>> = {
  MissingToken: [1008, 'Missing authentication token'],
  InvalidToken: [1008, 'Invalid or expired token'],
  MissingSessionId: [1008, 'Missing session_id query parameter'],
  InsufficientCredits: [1008, 'Insufficient credits for realtime session'],
  NoSuchSession: [4404, 'Session not found'],
  NotResumable: [4409, 'Session is not resumable'],
  AlreadyOpen: [4429, 'Session has a results socket already'],
  HeldElsewhere: [1013, 'Session is on another instance'],
  StoreUnavailable: unavailable,
  MediumErased: [4404, 'Session not found'],
  AppendTooLarge: [1011, 'The session cannot be written'],
  Contention: unavailable,
  UnreadableEvent: [1011, 'The session cannot be read'],
};

export const closeFor = ({ _tag }: ResultsRefused | Failure): Close => table[_tag];
