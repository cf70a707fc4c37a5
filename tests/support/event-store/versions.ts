/** A position in the log in the protocol's form: two unsigned 64-bit integers. */
interface LogPosition {
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
  /**
   * The checkpoint that a filtered subscription receives when it has caught up: the last row examined, or the place of
   * the next one, with the prepare position 0; with `greatest first` the first one is 2⁶⁴−1 if nothing in the log passes
   * the filter.
   */
  readonly checkpoints: 'none' | 'examined' | 'greatest first' | 'next';
  /**
   * Whether it is a server of its own: it writes events of its own before and between those of others, appends events
   * whose ids are already in the log again (unless the append is a repetition), takes 100 calls at once over a
   * connection, and ends subscriptions with INTERNAL (stream reset) when it ends.
   */
  readonly isServer: boolean;
}

const greatestRow = Number.MAX_SAFE_INTEGER - 1;
const mebibyte = 1_048_576;

/** Without differences from the protocol endpoint: a position is the row number. */
export const endpointBehaviour: Behaviour = {
  version: '23.10.0',
  positions: { of: (row) => row, rowAt: ({ commit }) => Math.min(Number(commit), greatestRow) },
  limits: { append: mebibyte, event: mebibyte },
  checkpoints: 'none',
  isServer: false,
};

/** Positions after the last row are refused, except the position of the next event. */
const placesOf = (base: bigint, stride: bigint): Positions => {
  const gap = (row: number): bigint => (BigInt(row) ** 2n * 7_919n) % (stride / 2n);
  const of = (row: number): bigint => base + BigInt(row) * stride + gap(row);
  return {
    of,
    rowAt: ({ commit, prepare }) => {
      if (commit === 0n) return 0;
      const row = Number((commit - base) / stride);
      if (commit < base || of(row) !== commit) return null;
      return prepare < commit ? row - 0.5 : row;
    },
  };
};

/** Byte offsets, with gaps. */
const offsets = placesOf(0n, 142n);
/** Larger than a JavaScript number and than a signed 64-bit integer. */
const greatOffsets = placesOf(2n ** 63n - 20_000n, 300n);

const base: Behaviour = { ...endpointBehaviour, positions: offsets, isServer: true };
const largeAppends = { append: 64 * mebibyte, event: 16 * mebibyte };

/** The differences between versions of EventStoreDB and KurrentDB. */
export const versions = {
  '23.10': { ...base, version: '23.10.7' },
  '24.6': { ...base, version: '24.6.0', checkpoints: 'greatest first' },
  '24.10.4': { ...base, version: '24.10.4', checkpoints: 'greatest first' },
  '25.0.0': { ...base, version: '25.0.0', checkpoints: 'next' },
  '25.1': { ...base, version: '25.1.0', checkpoints: 'examined', limits: largeAppends, positions: greatOffsets },
  '26': { ...base, version: '26.1.0', checkpoints: 'examined', limits: largeAppends },
} as const satisfies Readonly<Record<string, Behaviour>>;

export type Version = keyof typeof versions;

export const versionNames = [
  '23.10',
  '24.6',
  '24.10.4',
  '25.0.0',
  '25.1',
  '26',
] as const satisfies ReadonlyArray<Version>;

/** The version of a name; null for none. Throws if there is none of that name. */
export const versionOf = (name: string): Version | null => {
  if (name === '') return null;
  const version = versionNames.find((one) => one === name);
  if (version === undefined) throw new Error(`there is no version ${name}; there are ${versionNames.join(', ')}`);
  return version;
};
