import type { Tagged } from '../../domain/kernel/decider.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { SessionNotFound } from '../../domain/realtime-session/contract.js';
import { checkRevision } from '../commands/handle-command.js';
import type {
  EngineReport,
  EngineUnavailable,
  IceCandidate,
  InvalidIceCandidate,
  InvalidSdp,
} from '../ports/realtime-engine.js';
import type { RequestContext } from '../commands/context.js';
import type { LiveSession, Realtime } from './realtime.js';
import { proceed, send } from './proceed.js';

/** The session runs on another instance, with that instance's engine. */
export type SessionElsewhere = Tagged<'SessionElsewhere'>;

type Unheld = SessionElsewhere | SessionNotFound | Failure;

/** The session, if this process holds it. */
export const heldSession = ({ app, live }: Realtime, session_id: SessionId): TE.TaskEither<Unheld, LiveSession> => {
  const held = live.get(session_id);
  if (held !== undefined) return TE.right(held);
  return pipe(
    app.realtimeSessions.load(session_id),
    TE.chainW(({ state }) => TE.left<Unheld>({ _tag: state._tag === 'Open' ? 'SessionElsewhere' : 'SessionNotFound' })),
  );
};

type Refusal = Unheld | RevisionChanged;

const noted = (
  realtime: Realtime,
  request: RequestContext,
  live: LiveSession,
): TE.TaskEither<Refusal | EngineUnavailable, void> => {
  const at = realtime.timers.now();
  return pipe(
    realtime.app.perform({ ...request, at, if_match: null }, 'realtimeSessions', live.session_id, {
      type: 'RecordNegotiation',
      at,
    }),
    TE.chainTaskK(() => () => proceed(realtime, live, { type: 'Negotiated' })),
    // The engine began the session again if it had ended, and been closed, while the offer was answered.
    TE.orElseFirstW((refusal) =>
      refusal._tag === 'SessionNotFound' || live.state._tag === 'Finished'
        ? realtime.engine.close(live.session_id)
        : TE.right(undefined),
    ),
  );
};

/** Handles the engine's reports of a session; ignores them after its end. */
const receiveReport =
  (realtime: Realtime, live: LiveSession) =>
  (report: EngineReport): void => {
    if (report.kind === 'media') void proceed(realtime, live, { type: 'MediaReported', state: report.state });
    else if (live.state._tag !== 'Finished' && live.listener !== null)
      send(realtime, live, { type: 'result', seq: (live.seq += 1), ...report });
  };

/** POST …/offer: the engine's answer. Offers of one session are answered one at a time. */
export const negotiate = (
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  sdp: string,
): TE.TaskEither<Refusal | InvalidSdp | EngineUnavailable, { readonly sdp: string }> =>
  pipe(
    heldSession(realtime, session_id),
    TE.bindTo('live'),
    TE.bindW('stored', () => realtime.app.realtimeSessions.load(session_id)),
    // Before the engine is called.
    TE.chainFirstEitherKW(({ stored }) => checkRevision(request.if_match, stored.revision)),
    TE.chainW(({ live }) =>
      realtime.queue.run(
        `offer ${session_id}`,
        pipe(
          realtime.engine.negotiate(session_id, sdp, receiveReport(realtime, live)),
          TE.chainFirstW(() => noted(realtime, request, live)),
        ),
      ),
    ),
  );

/** POST …/ice: passes a trickled candidate to the engine. */
export const addCandidate = (
  realtime: Realtime,
  session_id: SessionId,
  candidate: IceCandidate,
): TE.TaskEither<Unheld | InvalidIceCandidate | EngineUnavailable, void> =>
  pipe(
    heldSession(realtime, session_id),
    TE.chainW(() => realtime.engine.addCandidate(session_id, candidate)),
  );
