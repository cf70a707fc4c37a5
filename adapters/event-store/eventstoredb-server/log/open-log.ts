import type { EventLog } from '../../sqlite/open.js';
import type { Behaviour } from '../behaviour.js';
import { type Appender, createAppender } from './append.js';
import { type Rows, createRows } from './rows.js';

/** The embedded log as this server reads and writes it. */
export interface ServedLog {
  readonly rows: Rows;
  readonly appender: Appender;
  readonly tip: EventLog['tip'];
  readonly write: EventLog['writer']['write'];
  readonly behaviour: Behaviour;
  /** Aborted when the server ends. */
  readonly ending: AbortSignal;
}

export const serveLog = ({ db, tip, writer }: EventLog, behaviour: Behaviour, ending: AbortSignal): ServedLog => {
  const rows = createRows(db);
  const appender = createAppender(db, rows, behaviour);
  return { rows, appender, tip, write: writer.write, behaviour, ending };
};
