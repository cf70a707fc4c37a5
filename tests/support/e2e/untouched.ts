import { join } from 'node:path';
import * as t from 'io-ts';
import { openReadOnly } from '../../../adapters/event-store/sqlite/file.js';
import { shortOrLong } from '../long-form.js';
import type { TestApi } from './test-api.js';

/** Without what the service writes by itself (seals, stored answers, checkpoints) and system events of EventStoreDB. */
const newest = `SELECT max(position) AS position FROM events
  WHERE category NOT IN ('auditSeal', 'idempotencyKey', 'checkpoint') AND category NOT LIKE '$%'`;
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

/** Answers follow from the log, so they are compared only for one in `every` requests. */
const every = shortOrLong(8, 1);
let requests = 0;

/** Returns a function that reads the state that a request without effect must not change: the log, and some answers. */
export const stateOf = (api: TestApi, answers: () => Promise<unknown>): (() => Promise<unknown>) => {
  const isDue = requests % every === 0;
  requests += 1;
  return async () => [lastWritten(api), isDue ? await answers() : null];
};
