type Close = readonly [code: number, reason: string];

/** With what code and reason a results socket closes (specification, 7.4; contract, Realtime). */
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
