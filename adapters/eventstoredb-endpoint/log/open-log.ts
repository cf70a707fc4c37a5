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
  /** Decrypts sealed events for readers; undefined if nothing is sealed. */
  readonly open: OpenRow | undefined;
  /** Aborted when the server ends. */
  readonly ending: AbortSignal;
}

/** Returns a row as readers receive it. */
export type OpenRow = (row: EventRow) => Promise<EventRow>;

/** The event of a row or link as readers receive it. */
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
