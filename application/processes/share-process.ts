import * as E from 'fp-ts/lib/Either.js';
import type { Uses } from '../application.js';
import type { StoredEvent } from '../ports/event-store.js';
import type { SharedWork } from '../ports/shared-work.js';
import { readEvent } from '../commands/read-event.js';
import { type Process, type RunningProcess, ProcessStopped, describe, reactWithRetries } from './run-process.js';

/**
 * Runs a process whose events are shared between the instances of the service. Retries while the store fails. An event that
 * no codec accepts stops each instance that gets it, and remains to be handled.
 */
export const shareProcess = (app: Uses<'log'>, work: SharedWork, process: Process): RunningProcess => {
  const { name, filter, concurrency } = process;
  let closed = false;
  let stopped: string | null = null;
  const persist = reactWithRetries(app, process, () => closed);
  const part = work.takePart(name, filter, concurrency, {
    onEvent: async (stored: StoredEvent) => {
      const event = readEvent(stored);
      if (E.isLeft(event)) throw new ProcessStopped(describe(event.left));
      await persist(event.right);
      if (closed) throw new ProcessStopped('closed before it was done');
    },
    onFailure: (failure) => {
      stopped = failure instanceof Error ? failure.message : String(failure);
      app.log.error('process stopped', { process: name, reason: stopped });
    },
  });
  return {
    name,
    stoppedBy: () => stopped,
    close: () => {
      closed = true;
      return part.close();
    },
  };
};
