import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../failures.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import { type RealtimeSessionRefusal, isRealtimeSessionRefusal } from '../../domain/realtime-session/contract.js';
import type { Uses } from '../application.js';
import type { RequestContext } from '../commands/context.js';
import { type RunningSession, sessionToken } from './authorise-session.js';
import type { Realtime } from './realtime.js';

export interface RenewedToken {
  readonly token: string;
  readonly token_expires_at: Timestamp;
}

/** POST …/token: another token of a running session. Earlier ones stay valid until they expire. */
export const renewToken = (
  app: Uses<'ids' | 'perform'>,
  { settings }: Realtime,
  request: RequestContext,
  { created: { session_id, expires_at } }: RunningSession,
): TE.TaskEither<
  Extract<RealtimeSessionRefusal, { _tag: 'SessionNotFound' | 'TooManyTokens' }> | RevisionChanged | Failure,
  RenewedToken
> => {
  const { at } = request;
  const token = sessionToken(app.ids, session_id);
  const wanted = secondsAfter(at, settings.token_seconds);
  const token_expires_at = wanted < expires_at ? wanted : expires_at;
  return pipe(
    app.perform(request, 'realtimeSessions', session_id, {
      type: 'IssueToken',
      token_hash: app.ids.digest(token),
      token_expires_at,
      at,
    }),
    narrowRefusal(isRealtimeSessionRefusal('SessionNotFound', 'TooManyTokens')),
    TE.map(() => ({ token, token_expires_at })),
  );
};
