/** A place in the log as this protocol writes it: two unsigned integers of 64 bits. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** How rows of the log are numbered for clients. */
export interface Positions {
  /** The commit and prepare position of a row; it grows with the row. */
  readonly of: (row: number) => number | bigint;
  /**
   * The row at a position; a number between two rows for a position between them; null for a position from which
   * nothing may be read.
   */
  readonly rowAt: (position: LogPosition) => number | null;
}

/** In what servers that speak this protocol differ from one another. */
export interface Behaviour {
  /** What the server says its version is. */
  readonly version: string;
  readonly positions: Positions;
  /** Bytes that one append, and one event, may have. */
  readonly limits: { readonly append: number; readonly event: number };
  /** Whether events whose ids are in the log already are appended again, where they are no repetition. */
  readonly storesKnownIds: boolean;
  readonly checkpoints: {
    /** Whether a filtered subscription is sent one when it has caught up. */
    readonly whenCaughtUp: boolean;
    /** Whether they name the row that was examined last, or the place of the next one, with the prepare position 0. */
    readonly names: 'examined' | 'next';
    /** Whether the first one is 2⁶⁴−1 when nothing in the log passes the filter. */
    readonly beginAtTheEnd: boolean;
  };
  readonly groups: {
    /** Whether a group's checkpoint that is due while one is being written is left out. */
    readonly dropCheckpoints: boolean;
    /** Whether a filtered group's checkpoint may be beyond an event that is not done, so that a restart skips it. */
    readonly resumeLate: boolean;
  };
  /** How many calls one connection may have at the same time; null: any number. */
  readonly callsPerConnection: number | null;
  /** Whether subscribers hear INTERNAL, for a stream that was reset, when the server ends. */
  readonly resetsSubscribers: boolean;
}

const greatestRow = Number.MAX_SAFE_INTEGER - 1;
const mebibyte = 1_048_576;

/** What the embedded log is served with: a position is the row's number. */
export const embeddedBehaviour: Behaviour = {
  version: '23.10.0',
  positions: { of: (row) => row, rowAt: ({ commit }) => Math.min(Number(commit), greatestRow) },
  limits: { append: mebibyte, event: mebibyte },
  storesKnownIds: false,
  checkpoints: { whenCaughtUp: false, names: 'examined', beginAtTheEnd: false },
  groups: { dropCheckpoints: false, resumeLate: false },
  callsPerConnection: null,
  resetsSubscribers: false,
};
