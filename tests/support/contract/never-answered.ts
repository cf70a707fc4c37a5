import type { Change } from './changes.js';

/** Operations that name nothing that can be erased, or that can still be read after an erasure. */
const isOfNothingErasable = (at: string): boolean =>
  !/\{(?:video|audio|session)_id\}/.test(at) || at.endsWith('/history');

/**
 * Whether a change only removes an error that was never an answer to any request, so that no client can
 * depend on it. To be emptied when the document of the next release is stored.
 */
export const wasNeverAnswered = ({ at, message }: Pick<Change, 'at' | 'message'>): boolean =>
  (message === 'Response `410` was removed.' && isOfNothingErasable(at)) ||
  (message === '409 is no longer answered with the code video_not_completed' && at.includes('/speaker-name-inference'));
