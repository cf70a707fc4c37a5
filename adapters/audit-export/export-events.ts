import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import type { ShownEvent } from '../../projections/audit/shown-event.js';
import { writeWhole } from './out-file.js';
import { type ParquetColumn, openParquet } from './parquet-file.js';

interface ExportRequest {
  readonly pages: AsyncIterable<ReadonlyArray<ShownEvent>>;
  readonly format: 'ndjson' | 'csv' | 'parquet';
  readonly file: string;
  /** Overwrites an existing file. */
  readonly force: boolean;
  /** Called with the number of events, about every 10,000. */
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
 * Writes events to a file, page by page in bounded memory. Returns their number. Throws `FileExists` if the file exists
 * and may not be overwritten.
 */
export const exportEvents = ({ pages, format, file, force, onProgress }: ExportRequest): Promise<number> =>
  writeWhole(file, force, async (part) => {
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
