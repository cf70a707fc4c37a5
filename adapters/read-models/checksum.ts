import * as zlib from 'node:zlib';

const table = Int32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32, from zlib where Node.js has it (20.15 and later). */
const crc32: (data: string | Uint8Array, value?: number) => number =
  typeof zlib.crc32 === 'function'
    ? zlib.crc32
    : (data, value = 0) => {
        let rest = ~value;
        for (const byte of typeof data === 'string' ? Buffer.from(data) : data)
          rest = (table[(rest ^ byte) & 0xff] ?? 0) ^ (rest >>> 8);
        return ~rest >>> 0;
      };

/** Sums of checksums are computed modulo this. */
const modulus = 2 ** 32;

/** The checksum of a row: its key, its columns, and its JSON as text or UTF-8 bytes. */
export const rowChecksum = (key: string, columns: ReadonlyArray<string | null>, row: string | Uint8Array): number =>
  crc32(row, crc32(JSON.stringify([key, ...columns])));

/** The checksum of a list of values. */
export const checksumOf = (values: ReadonlyArray<string | number | null>): number => crc32(JSON.stringify(values));

/** The number of rows of a table and the sum of their checksums, which reveal missing, additional and outdated rows. */
export interface TableSum {
  readonly rows: number;
  readonly sum: number;
}

/** The sums of all tables, by table name. */
export type TableSums = Readonly<Record<string, TableSum>>;

export const emptySum: TableSum = { rows: 0, sum: 0 };

export const addSums = (one: TableSum, other: TableSum): TableSum => ({
  rows: one.rows + other.rows,
  sum: (one.sum + other.sum) % modulus,
});

export const subtractSums = (one: TableSum, other: TableSum): TableSum => ({
  rows: one.rows - other.rows,
  sum: (one.sum - other.sum + modulus) % modulus,
});
