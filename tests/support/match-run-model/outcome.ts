/** How a write-back was booked. Runs are numbered in the order of their creation. */
export interface Booking {
  readonly event: 'stored' | 'committed' | 'failed';
  readonly run: number;
  readonly attribution: 'own' | 'assumed' | 'unattributed' | 'name_channel';
  readonly candidates: ReadonlyArray<number>;
  readonly lateWriteSuspected: boolean;
  readonly late: boolean;
  readonly withdrawsBlock: boolean;
}

export type Answer =
  | { readonly tag: 'done' }
  | { readonly tag: 'refused'; readonly refusal: string }
  | { readonly tag: 'queued'; readonly run: number }
  | {
      readonly tag: 'received';
      readonly status: string;
      readonly run: number | null;
      readonly reason: string | null;
    }
  | { readonly tag: 'reverted'; readonly faces: ReadonlyArray<number>; readonly left: ReadonlyArray<number> };

export interface Outcome {
  readonly answer: Answer;
  readonly bookings: ReadonlyArray<Booking>;
}

export const done: Outcome = { answer: { tag: 'done' }, bookings: [] };
export const refused = (refusal: string): Outcome => ({ answer: { tag: 'refused', refusal }, bookings: [] });

/** The visible state of a video after a step. */
export interface Seen {
  readonly status: string | null;
  readonly queuedAt: number | null;
  readonly mode: string | null;
  readonly inFlight: boolean;
  readonly stale: boolean;
  readonly faces: ReadonlyArray<readonly [number, string | null, number | null, number | null, number | null]>;
  readonly speakers: ReadonlyArray<readonly [number, string | null]>;
  readonly block: ReadonlyArray<readonly [face: number, speaker: number, name: string | null]> | null;
}
