import {
  type Behaviour,
  type Positions,
  embeddedBehaviour,
} from '../../../adapters/eventstoredb-endpoint/behaviour.js';

const mebibyte = 1_048_576;

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

const base: Behaviour = {
  ...embeddedBehaviour,
  positions: offsets,
  appendsKnownIds: true,
  groups: { dropCheckpoints: true, resumeLate: false },
  callsPerConnection: 100,
  resetsSubscribers: true,
};
const late: Behaviour = { ...base, groups: { dropCheckpoints: true, resumeLate: true } };
const whenCaughtUp = { whenCaughtUp: true, names: 'examined', firstIsMaximum: false } as const;
const largeAppends = { append: 64 * mebibyte, event: 16 * mebibyte };

/** The differences between versions of EventStoreDB and KurrentDB. */
export const versions = {
  '23.10': { ...base, version: '23.10.7' },
  '24.6': { ...late, version: '24.6.0', checkpoints: { ...whenCaughtUp, firstIsMaximum: true } },
  '24.10.4': { ...late, version: '24.10.4', checkpoints: { ...whenCaughtUp, firstIsMaximum: true } },
  '25.0.0': { ...late, version: '25.0.0', checkpoints: { ...whenCaughtUp, names: 'next' } },
  '25.1': {
    ...late,
    version: '25.1.0',
    positions: greatOffsets,
    limits: largeAppends,
    checkpoints: whenCaughtUp,
  },
  '26': { ...late, version: '26.1.0', limits: largeAppends, checkpoints: whenCaughtUp },
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

export const isVersion = (text: string): text is Version => Object.hasOwn(versions, text);
