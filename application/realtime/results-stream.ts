import type { SessionId } from '../../domain/kernel/ids.js';
import type { EngineReport } from '../ports/realtime-engine.js';
import type { ResultsFrame, ResultsListener } from '../ports/results-listener.js';
import type { Timers } from '../ports/timers.js';

type Results = Exclude<EngineReport, { kind: 'media' }>;

/** What a session's one listener hears. Nothing is kept for a listener that is not there yet, or no more. */
export interface ResultsStream {
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
