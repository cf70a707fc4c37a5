interface Framed {
  readonly session_id: string;
  readonly at: string;
}

/** A message of the results socket of a realtime session. */
export type ResultsFrame = Framed &
  (
    | { readonly type: 'ready'; readonly balance: number }
    | { readonly type: 'media'; readonly state: 'connected' | 'disconnected' | 'failed' }
    | {
        readonly type: 'result';
        readonly seq: number;
        readonly kind: 'voice_activity';
        /** Seconds since the session's first media. */
        readonly start: number;
        readonly end: number;
        readonly speaking: boolean;
        readonly level_dbfs: number;
      }
    | {
        readonly type: 'result';
        readonly seq: number;
        readonly kind: 'video_stats';
        readonly start: number;
        readonly end: number;
        readonly frames: number;
        /** Null if unknown. */
        readonly width: number | null;
        readonly height: number | null;
      }
    | { readonly type: 'usage'; readonly credits_charged: number; readonly balance: number }
    | { readonly type: 'warning'; readonly code: 'credits_low'; readonly seconds_left: number }
    | {
        readonly type: 'error';
        readonly error: string;
        readonly code: string;
        /** With `insufficient_credits`: whether the balance or the spending window is used up. */
        readonly reason?: 'balance' | 'window';
        readonly retryable: boolean;
        readonly retry_after_seconds?: number;
      }
  );
