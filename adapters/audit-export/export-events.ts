import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { stringify } from 'csv-stringify';
import { fileWriter, parquetWriteRows } from 'hyparquet-writer';
import type { ShownEvent } from '../../projections/audit/shown-event.js';

interface ExportRequest {
  readonly pages: AsyncIterable<ReadonlyArray<ShownEvent>>;
  readonly format: 'ndjson' | 'csv' | 'parquet';
  readonly file: string;
  /** Told of the number of events about every 10,000. */
  readonly onProgress: (events: number) => void;
}

const columns = [
  'position',
  'stream',
  'revision',
  'event_id',
  'type',
  'version',
  'at',
  'key_id',
  'account_id',
  'request_id',
  'causation_id',
  'data',
] as const;

const flat = ({ actor, data, at, request_id, causation_id, ...event }: ShownEvent) => ({
  ...event,
  at: at ?? '',
  key_id: actor?.key_id ?? '',
  account_id: actor?.account_id ?? '',
  request_id: request_id ?? '',
  causation_id: causation_id ?? '',
  data: JSON.stringify(data),
});

const step = 10_000;

/** Writes events to a file, page by page in bounded memory; gives their number. */
export const exportEvents = async ({ pages, format, file, onProgress }: ExportRequest): Promise<number> => {
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
    for await (const event of counted()) yield flat(event);
  }
  if (format === 'ndjson') await pipeline(Readable.from(lines()), createWriteStream(file));
  else if (format === 'csv') {
    const csv = stringify({ header: true, columns: [...columns], escape_formulas: true });
    await pipeline(Readable.from(rows()), csv, createWriteStream(file));
  } else
    await parquetWriteRows({
      writer: fileWriter(file),
      rows: rows(),
      columns: columns.map((name) => ({
        name,
        type: name === 'revision' || name === 'version' ? ('INT32' as const) : ('STRING' as const),
      })),
    });
  return events;
};
