import type { EngineReport } from './realtime-engine.js';

type Results = Exclude<EngineReport, { kind: 'media' }>;

/** What a client is told of its session; session and time are added to each frame. Credits are numbers. */
export type ResultsFrame =
  | { readonly type: 'ready'; readonly balance: number }
  | { readonly type: 'media'; readonly state: Extract<EngineReport, { kind: 'media' }>['state'] }
  | ({ readonly type: 'result'; readonly seq: number } & Results)
  | { readonly type: 'usage'; readonly credits_charged: number; readonly balance: number }
  | { readonly type: 'warning'; readonly code: 'credits_low'; readonly seconds_left: number }
  | {
      readonly type: 'error';
      readonly error: string;
      readonly code: string;
      readonly retryable: boolean;
      readonly retry_after_seconds?: number;
    };

/** Who listens to a session's results. Neither call may throw or wait. */
export interface ResultsListener {
  readonly send: (frame: object) => void;
  readonly close: (code: number, reason: string) => void;
}
