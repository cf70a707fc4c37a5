import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';

/** The type of a cell: times are timestamps, integers have 64 bits. */
export type ParquetType = 'STRING' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP' | 'JSON';

export interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

type Row = Readonly<Record<string, unknown>>;

/** A Parquet file that is written row by row in bounded memory. */
export interface ParquetFile {
  /** Resolves when more rows can be accepted. */
  readonly write: (row: Row) => Promise<void>;
  /** Resolves when the file is complete. */
  readonly close: () => Promise<void>;
}

const asStored = (type: ParquetType, cell: unknown): unknown => {
  if (cell === null || cell === undefined) return null;
  switch (type) {
    case 'TIMESTAMP':
      return typeof cell === 'string' ? new Date(cell) : null;
    case 'INT64':
      return BigInt(Number(cell));
    default:
      return cell;
  }
};

/** Creates the file. A missing cell is null. */
export const openParquet = (file: string, columns: ReadonlyArray<ParquetColumn>): ParquetFile => {
  const rows = new PassThrough({ objectMode: true, highWaterMark: 1_000 });
  const written = Promise.resolve(
    parquetWriteRows({
      writer: fileWriter(file),
      rows,
      columns: columns.map(({ name, type }) => ({ name, type, nullable: true })),
    }),
  );
  written.catch((error: Error) => rows.destroy(error));
  return {
    write: async (row) => {
      const stored = Object.fromEntries(columns.map(({ name, type }) => [name, asStored(type, row[name])]));
      if (!rows.write(stored)) await once(rows, 'drain');
    },
    close: async () => {
      rows.end();
      await written;
    },
  };
};
