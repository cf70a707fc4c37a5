import { type AccountId, SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { HeldSession } from '../../domain/realtime-session/held-session.js';
import type { EngineReport } from '../ports/realtime-engine.js';
import type { ResultsFrame, ResultsListener } from '../ports/results-listener.js';
import type { Timers } from '../ports/clock.js';
import type { Caller } from '../commands/context.js';

type Results = Exclude<EngineReport, { kind: 'media' }>;

/** The connection to a session's only listener. Nothing is buffered while there is none. */
interface ResultsStream {
  readonly open: (listener: ResultsListener) => void;
  readonly drop: () => void;
  readonly send: (frame: ResultsFrame) => void;
  readonly result: (results: Results) => void;
  readonly close: (code: number, reason: string) => void;
}

export const resultsStream = (session_id: SessionId, { now }: Timers): ResultsStream => {
  let listener: ResultsListener | null = null;
  let seq = 0;
  const send = (frame: ResultsFrame): void => listener?.send({ ...frame, session_id, at: now() });
  const drop = (): void => {
    listener = null;
  };
  return {
    open: (opened) => {
      listener = opened;
    },
    drop,
    send,
    result: (results) => {
      if (listener === null) return;
      seq += 1;
      send({ type: 'result', seq, ...results });
    },
    close: (code, reason) => {
      listener?.close(code, reason);
      drop();
    },
  };
};

/** A session that this process holds: its state beside its events, and its resources. */
export interface LiveSession {
  readonly session_id: SessionId;
  readonly account_id: AccountId;
  /** Who created it, and by which request: the actor of what the session does by itself. */
  readonly caller: Caller;
  readonly request_id: string;
  readonly results: ResultsStream;
  /** Changed by `proceed` alone. */
  state: HeldSession;
  /** Its only timer, and when it fires. */
  timer: { readonly at: Timestamp; readonly cancel: () => void } | null;
}

/** The sessions that this process holds. */
export type LiveSessions = Map<SessionId, LiveSession>;

/** Whether a credit hold is for a session of this process, which knows that session's unbooked usage itself. */
export const isHeldHere =
  ({ live }: { readonly live: LiveSessions }) =>
  (hold_id: string): boolean =>
    SessionId.is(hold_id) && live.has(hold_id);
