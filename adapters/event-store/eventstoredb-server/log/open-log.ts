import type { EventLog } from '../../sqlite/open.js';
import { type Appender, createAppender } from './append.js';
import { type Rows, createRows } from './rows.js';

/** The embedded log as this server reads and writes it. */
export interface ServedLog {
  readonly rows: Rows;
  readonly appender: Appender;
  readonly tip: EventLog['tip'];
  readonly write: EventLog['writer']['write'];
}

export const serveLog = ({ db, tip, writer }: EventLog): ServedLog => {
  const rows = createRows(db);
  return { rows, appender: createAppender(db, rows), tip, write: writer.write };
};
