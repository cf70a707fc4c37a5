import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { hasRun, notRun, threadsNotRun } from '../attacks/support/process-figures.js';
import { startBystander } from '../attacks/support/prober.js';

const pause_ms = 50;
/** Older measurements are dropped, in milliseconds. */
const keptMs = 20_000;
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

export interface Control {
  /** The share of the machine and this process in the waiting time since a moment of `performance.now()`, in milliseconds. */
  readonly partSince: (moment: number) => number;
  /** Processor time of the service's main thread since then, in milliseconds. */
  readonly ranSince: (moment: number) => number;
  readonly end: () => void;
}

/**
 * Sends requests to a server that does nothing else, from this process and at the same time as to the service, and measures
 * how long the threads of the service and this process were ready to run and got no processor.
 */
export const startControl = async (service: number): Promise<Control> => {
  const delayed = (): number => threadsNotRun(service) + notRun(process.pid);

  const bystander = await startBystander();
  const socket: Socket = connect({ port: bystander.port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  const stop = new AbortController();
  let waits: ReadonlyArray<{
    readonly at: number;
    readonly ms: number;
    readonly delayed: number;
    readonly ran: number;
  }> = [];
  let pendingSince: number | null = null;
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const start = performance.now();
      pendingSince = start;
      socket.write(request);
      await once(socket, 'data');
      const now = performance.now();
      waits = [
        ...waits.filter(({ at }) => now - at < keptMs),
        { at: now, ms: now - start, delayed: delayed(), ran: hasRun(service) },
      ];
      pendingSince = null;
      await setTimeout(pause_ms);
    }
  };
  run().catch(() => undefined);
  return {
    partSince: (moment) => {
      const since = waits.filter(({ at }) => at >= moment);
      const before = waits.findLast(({ at }) => at < moment)?.delayed ?? 0;
      const longest = Math.max(
        pendingSince === null ? 0 : performance.now() - pendingSince,
        ...since.map(({ ms }) => ms),
      );
      return longest + delayed() - before;
    },
    ranSince: (moment) => {
      /* If this process itself got no processor time, the oldest measurement is the safest estimate. */
      const before = waits.findLast(({ at }) => at < moment) ?? waits[0];
      return before === undefined ? 0 : hasRun(service) - before.ran;
    },
    end: () => {
      stop.abort();
      socket.destroy();
      bystander.end();
    },
  };
};
