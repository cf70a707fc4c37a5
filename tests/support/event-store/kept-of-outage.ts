import { queryObjects } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import { openConnection } from '../../../adapters/event-store/eventstoredb/connection.js';
import { probe } from '../../../adapters/event-store/eventstoredb/read.js';
import { addressOf } from './address-of.js';
import { silentLog } from './silent-log.js';

/* A thread that lets many calls meet a long outage, and tells how many promises more there are after them. */

const address = addressOf(`esdb://localhost:${String(workerData)}?tls=false&defaultDeadline=100`);
const connection = openConnection({ address, log: silentLog, probe, onReturn: () => undefined });
await connection.call(probe);
const calls = async (count: number): Promise<void> => {
  for (let call = 0; call < count; call += 1) await connection.answering(call % 2);
};
await calls(2);
const before = queryObjects(Promise, { format: 'count' });
await calls(300);
const kept = queryObjects(Promise, { format: 'count' }) - before;
await connection.close();
parentPort?.postMessage({ kept }, []);
