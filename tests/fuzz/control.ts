import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { startBystander } from '../attacks/support/prober.js';

const pause_ms = 50;
/** What is older than this is forgotten, in milliseconds. */
const remembered = 20_000;
const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';

export interface Control {
  /** The longest that the bystander took since a moment of `performance.now()`, in milliseconds. */
  readonly longestSince: (moment: number) => number;
  readonly end: () => void;
}

/**
 * Asks a server that does nothing else, from this process and at the same time as the service is asked: what it takes
 * is the machine's and this process's part in every wait.
 */
export const startControl = async (): Promise<Control> => {
  const bystander = await startBystander();
  const socket: Socket = connect({ port: bystander.port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  const stop = new AbortController();
  let waits: ReadonlyArray<{ readonly at: number; readonly ms: number }> = [];
  let asked: number | null = null;
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const start = performance.now();
      asked = start;
      socket.write(request);
      await once(socket, 'data');
      const now = performance.now();
      waits = [...waits.filter(({ at }) => now - at < remembered), { at: now, ms: now - start }];
      asked = null;
      await setTimeout(pause_ms);
    }
  };
  run().catch(() => undefined);
  return {
    longestSince: (moment) =>
      Math.max(
        asked === null ? 0 : performance.now() - asked,
        ...waits.filter(({ at }) => at >= moment).map(({ ms }) => ms),
      ),
    end: () => {
      stop.abort();
      socket.destroy();
      bystander.end();
    },
  };
};
