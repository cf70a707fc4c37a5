import { join } from 'node:path';
import * as t from 'io-ts';
import { openReadOnly } from '../../../adapters/event-store/sqlite/database.js';
import { shortOrLong } from '../long-form.js';
import type { TestApi } from './test-api.js';

/** Seals, and answers that are kept for repetitions, come by themselves; a server of EventStoreDB has events of its own. */
const newest = `SELECT max(position) AS position FROM events
  WHERE category NOT IN ('auditSeal', 'idempotencyKey') AND category NOT LIKE '$%'`;
const Newest = t.type({ position: t.union([t.number, t.null]) });

/** The last event of a service's log, whichever engine it is on. */
const lastWritten = ({ world }: TestApi): number | null => {
  const log = openReadOnly(join(world.dataDir, 'events.db'));
  try {
    const row: unknown = log.prepare(newest).get();
    if (!Newest.is(row)) throw new Error('the log does not say what was written last');
    return row.position;
  } finally {
    log.close();
  }
};

/** What is answered comes of the log; it is asked for around every so manieth request. */
const every = shortOrLong(8, 1);
let asked = 0;

/** What a request that changes nothing leaves as it was: the log, and answers. */
export const stateOf = (api: TestApi, answers: () => Promise<unknown>): (() => Promise<unknown>) => {
  const isDue = asked % every === 0;
  asked += 1;
  return async () => [lastWritten(api), isDue ? await answers() : null];
};
