import type { Credits } from '../../domain/kernel/credits.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { EngineReport } from './realtime-engine.js';

type Results = Exclude<EngineReport, { kind: 'media' }>;

/** What a client is told of its session; session and time are added to each frame. */
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
      readonly retryable: boolean;
      readonly retry_after_seconds?: number;
    };

/** A frame as it goes out. */
export type SentFrame = ResultsFrame & { readonly session_id: SessionId; readonly at: Timestamp };

/** Who listens to a session's results. Neither call may throw or wait. */
export interface ResultsListener {
  readonly send: (frame: SentFrame) => void;
  readonly close: (code: number, reason: string) => void;
}
