import type { EventRow } from '../../event-store/sqlite/event-row.js';
import type { ResolvedRow } from '../wire/read-messages.js';
import type { Rows } from './rows.js';
import { fromStored } from './stored-payload.js';
import { firstVisible, streamState } from './stream-state.js';

const linkType = '$>';

/** The data of a link is `revision@stream`. */
const pattern = /^(\d+)@(.+)$/s;

const targetOf = (rows: Rows, [, , , , , data, metadata]: EventRow): EventRow | null => {
  const link = pattern.exec(Buffer.from(fromStored({ data, metadata }).data).toString('utf8'));
  const stream = link?.[2];
  const revision = Number(link?.[1]);
  if (stream === undefined || !Number.isSafeInteger(revision)) return null;
  const state = streamState(rows, stream);
  if (state.tombstoned || revision < firstVisible(state)) return null;
  const [row] = rows.streamForwards(stream, revision, 1);
  return row?.[2] === revision ? row : null;
};

/** The row itself; for a link, if links are to be resolved, the event it points to. */
export const resolveRow = (rows: Rows, row: EventRow, resolveLinks: boolean): ResolvedRow =>
  resolveLinks && row[4] === linkType ? { event: targetOf(rows, row), link: row } : { event: row, link: null };
