/** A position in the log in the protocol's form: two unsigned 64-bit integers. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/** Maps rows of the log to positions of the protocol. */
export interface Positions {
  /** The commit and prepare position of a row; it increases with the row. */
  readonly of: (row: number) => number | bigint;
  /**
   * The row at a position; a fraction between two rows for a position between them; null for a position from which
   * nothing may be read.
   */
  readonly rowAt: (position: LogPosition) => number | null;
}

/** The differences between server versions that speak this protocol. */
export interface Behaviour {
  /** The version that the server reports. */
  readonly version: string;
  readonly positions: Positions;
  /** The maximum size in bytes of an append, and of an event. */
  readonly limits: { readonly append: number; readonly event: number };
  /** Whether events whose ids are already in the log are appended again, unless the append is a repetition. */
  readonly appendsKnownIds: boolean;
  readonly checkpoints: {
    /** Whether a filtered subscription receives a checkpoint when it has caught up. */
    readonly whenCaughtUp: boolean;
    /** Whether they name the last row examined, or the place of the next one, with the prepare position 0. */
    readonly names: 'examined' | 'next';
    /** Whether the first one is 2⁶⁴−1 when nothing in the log passes the filter. */
    readonly firstIsMaximum: boolean;
  };
  readonly groups: {
    /** Whether a group's checkpoint is skipped if it is due while another is being written. */
    readonly dropCheckpoints: boolean;
    /** Whether a filtered group's checkpoint may be beyond an event that is not done, so that a restart skips it. */
    readonly resumeLate: boolean;
  };
  /** The maximum number of concurrent calls per connection; null for any number. */
  readonly callsPerConnection: number | null;
  /** Whether subscribers receive INTERNAL (stream reset) when the server ends. */
  readonly resetsSubscribers: boolean;
}

const greatestRow = Number.MAX_SAFE_INTEGER - 1;
const mebibyte = 1_048_576;

/** The behaviour with which the embedded log is served: a position is the row number. */
export const embeddedBehaviour: Behaviour = {
  version: '23.10.0',
  positions: { of: (row) => row, rowAt: ({ commit }) => Math.min(Number(commit), greatestRow) },
  limits: { append: mebibyte, event: mebibyte },
  appendsKnownIds: false,
  checkpoints: { whenCaughtUp: false, names: 'examined', firstIsMaximum: false },
  groups: { dropCheckpoints: false, resumeLate: false },
  callsPerConnection: null,
  resetsSubscribers: false,
};
