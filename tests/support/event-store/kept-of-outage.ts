import { queryObjects } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { createOutages } from '../../../adapters/event-store/eventstoredb/outages.js';
import { silentLog } from './silent-log.js';

/* A thread that lets many calls meet a long outage, and tells how many promises more there are after them. */

const outages = createOutages(silentLog, {
  isBack: () => Promise.resolve(false),
  onLoss: () => undefined,
  onReturn: () => undefined,
});
outages.begin('the server is gone');
const calls = async (count: number): Promise<void> => {
  for (let call = 0; call < count; call += 1) await outages.over(call % 2);
};
await calls(2);
const before = queryObjects(Promise, { format: 'count' });
await calls(300);
const kept = queryObjects(Promise, { format: 'count' }) - before;
await outages.close();
parentPort?.postMessage({ kept }, []);
