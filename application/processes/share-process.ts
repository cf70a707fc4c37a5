import * as E from 'fp-ts/lib/Either.js';
import type { Uses } from '../application.js';
import type { StoredEvent } from '../ports/event-store.js';
import type { SharedWork } from '../ports/shared-work.js';
import { readEvent } from '../commands/read-event.js';
import { type Process, type RunningProcess, Stopped, describe, persistently } from './run-process.js';

/**
 * Runs a process together with the other instances of the service, until it is closed. A failing store is waited for;
 * at an event that no codec reads, each instance that is given it stops, and the event stays.
 */
export const shareProcess = (app: Uses<'log'>, work: SharedWork, process: Process): RunningProcess => {
  const { name, filter, concurrency } = process;
  let closed = false;
  let stopped: string | null = null;
  const persist = persistently(app, process, () => closed);
  const part = work.takePart(name, filter, concurrency, {
    onEvent: async (stored: StoredEvent) => {
      const event = readEvent(stored);
      if (E.isLeft(event)) throw new Stopped(describe(event.left));
      await persist(event.right);
      if (closed) throw new Stopped('closed before it was done');
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
