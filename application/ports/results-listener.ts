import type { Credits } from '../../domain/kernel/credits.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { EngineReport } from './realtime-engine.js';

type Results = Exclude<EngineReport, { kind: 'media' }>;

/** A frame of a results socket, before session and time are added. */
export type ResultsFrame =
  | { readonly type: 'ready'; readonly balance: Credits }
  | { readonly type: 'media'; readonly state: Extract<EngineReport, { kind: 'media' }>['state'] }
  | ({ readonly type: 'result'; readonly seq: number } & Results)
  | { readonly type: 'usage'; readonly credits_charged: Credits; readonly balance: Credits }
  | { readonly type: 'warning'; readonly code: 'credits_low'; readonly seconds_left: number }
  | {
      readonly type: 'error';
      readonly error: string;
      readonly code: string;
      /** With `insufficient_credits`: what the account lacks. */
      readonly reason?: 'balance' | 'window';
      readonly retryable: boolean;
      readonly retry_after_seconds?: number;
    };

/** A frame as it is sent. */
export type SentFrame = ResultsFrame & { readonly session_id: SessionId; readonly at: Timestamp };

/** The receiver of a session's results. Its functions must not throw or block. */
export interface ResultsListener {
  readonly send: (frame: SentFrame) => void;
  readonly close: (code: number, reason: string) => void;
}
