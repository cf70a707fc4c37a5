import type { EventRow } from '../../event-store/sqlite/event-row.js';
import type { EventLog } from '../../event-store/sqlite/open.js';
import type { ResolvedRow } from '../wire/read-messages.js';
import type { Behaviour } from '../behaviour.js';
import { type Appender, createAppender } from './append.js';
import { type Rows, createRows } from './rows.js';

/** The embedded log as this server reads and writes it. */
export interface ServedLog {
  readonly rows: Rows;
  readonly appender: Appender;
  readonly headSignal: EventLog['headSignal'];
  readonly write: EventLog['writer']['write'];
  readonly behaviour: Behaviour;
  /** What is sealed in the log is sent in clear; undefined where nothing is. */
  readonly open: OpenRow | undefined;
  /** Aborted when the server ends. */
  readonly ending: AbortSignal;
}

/** A row as its readers get it. */
export type OpenRow = (row: EventRow) => Promise<EventRow>;

/** The event of a row or link as its readers get it. */
export const opened = async ({ open }: Pick<ServedLog, 'open'>, row: ResolvedRow): Promise<ResolvedRow> =>
  open === undefined || row.event === null ? row : { ...row, event: await open(row.event) };

export const serveLog = (
  { db, headSignal, writer }: EventLog,
  behaviour: Behaviour,
  ending: AbortSignal,
  open?: OpenRow,
): ServedLog => {
  const rows = createRows(db);
  const appender = createAppender(db, rows, behaviour);
  return { rows, appender, headSignal, write: writer.write, behaviour, open, ending };
};
