import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { ShownEvent } from '../../../projections/audit/shown-event.js';
import type { WriteMart } from '../../../application/audit/replay-log.js';
import { type ColumnType, type MartName, marts } from '../../../projections/audit/marts/catalogue.js';

/** The name of a file until it is complete. */
const partOf = (file: string): string => `${file}.part`;

/**
 * Writes files under temporary names and renames them once all are complete, so that a failure leaves existing files
 * unchanged. Throws if one exists and `force` is not set.
 */
const writeWhole = async <Result>(
  files: ReadonlyArray<string>,
  force: boolean,
  write: () => Promise<Result>,
): Promise<Result> => {
  const present = files.find((file) => existsSync(file));
  if (present !== undefined && !force)
    throw new Error(`${present} exists already: choose another name, or add --force to replace it`);
  try {
    const result = await write();
    for (const file of files) renameSync(partOf(file), file);
    return result;
  } catch (error) {
    for (const file of files) rmSync(partOf(file), { force: true });
    throw error;
  }
};

/** The type of a cell: times are timestamps, integers have 64 bits. */
type ParquetType = 'STRING' | 'INT64' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP' | 'JSON';

interface ParquetColumn {
  readonly name: string;
  readonly type: ParquetType;
}

type Row = Readonly<Record<string, unknown>>;

/** A Parquet file that is written row by row in bounded memory. */
interface ParquetFile {
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
const openParquet = (file: string, columns: ReadonlyArray<ParquetColumn>): ParquetFile => {
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

export interface ExportRequest {
  readonly pages: AsyncIterable<ReadonlyArray<ShownEvent>>;
  readonly format: 'ndjson' | 'csv' | 'parquet';
  readonly file: string;
  /** Overwrites an existing file. */
  readonly force: boolean;
  /** Is called with the number of events, about every 10,000. */
  readonly onProgress: (events: number) => void;
}

/** The columns of CSV and Parquet. */
const columns: ReadonlyArray<ParquetColumn> = [
  { name: 'position', type: 'STRING' },
  { name: 'stream', type: 'STRING' },
  { name: 'revision', type: 'INT64' },
  { name: 'event_id', type: 'STRING' },
  { name: 'type', type: 'STRING' },
  { name: 'version', type: 'INT64' },
  { name: 'recorded_at', type: 'TIMESTAMP' },
  { name: 'key_id', type: 'STRING' },
  { name: 'account_id', type: 'STRING' },
  { name: 'request_id', type: 'STRING' },
  { name: 'causation_id', type: 'STRING' },
  { name: 'data', type: 'JSON' },
  /** Why there are no data. */
  { name: 'withheld', type: 'STRING' },
];

const withheldOf = ({ erased, key_missing }: ShownEvent): string | null => {
  if (erased === true) return 'erased';
  return key_missing === true ? 'key_missing' : null;
};

const flat = (shown: ShownEvent) => {
  const { actor, at, erased: _erased, key_missing: _missing, ...event } = shown;
  return {
    ...event,
    recorded_at: at,
    key_id: actor?.key_id ?? null,
    account_id: actor?.account_id ?? null,
    withheld: withheldOf(shown),
  };
};

const step = 10_000;

/**
 * Writes events to a file, page by page in bounded memory. Returns their number. Throws if the file exists and may not be
 * overwritten, or if its folder does not exist.
 */
export const exportEvents = ({ pages, format, file, force, onProgress }: ExportRequest): Promise<number> =>
  writeWhole([file], force, async () => {
    const [folder, part] = [dirname(file), partOf(file)];
    if (!existsSync(folder)) throw new Error(`the folder ${folder} does not exist`);
    let events = 0;
    async function* counted(): AsyncGenerator<ShownEvent, void> {
      for await (const page of pages)
        for (const event of page) {
          yield event;
          events += 1;
          if (events % step === 0) onProgress(events);
        }
    }
    async function* lines() {
      for await (const event of counted()) yield `${JSON.stringify(event)}\n`;
    }
    async function* rows() {
      for await (const event of counted()) yield { ...flat(event), data: JSON.stringify(event.data) };
    }
    if (format === 'ndjson') await pipeline(Readable.from(lines()), createWriteStream(part));
    else if (format === 'csv') {
      const csv = stringify({ header: true, columns: columns.map(({ name }) => name), escape_formulas: true });
      await pipeline(Readable.from(rows()), csv, createWriteStream(part));
    } else {
      const parquet = openParquet(part, columns);
      for await (const event of counted()) await parquet.write(flat(event));
      await parquet.close();
    }
    return events;
  });

const types: Readonly<Record<ColumnType, ParquetType>> = {
  text: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
};

const isMart = (name: string): name is MartName => name in marts;
const names = Object.keys(marts).filter(isMart);

const openMart = (file: string, name: MartName): ParquetFile =>
  openParquet(
    file,
    Object.entries(marts[name].columns).map(([column, { type }]) => ({ name: column, type: types[type] })),
  );

/** Writes every mart to a folder, one Parquet file each: all of them or none. Throws if one exists and may not be overwritten. */
export const exportMarts = async <Result>(
  folder: string,
  force: boolean,
  replay: (write: WriteMart) => Promise<Result>,
): Promise<Result> => {
  const fileOf = (name: MartName): string => join(folder, `${name}.parquet`);
  return writeWhole(names.map(fileOf), force, async () => {
    mkdirSync(folder, { recursive: true });
    const files = new Map(names.map((name) => [name, openMart(partOf(fileOf(name)), name)]));
    const result = await replay(async (name, rows) => {
      for (const row of rows) await files.get(name)?.write(row);
    });
    for (const file of files.values()) await file.close();
    return result;
  });
};
