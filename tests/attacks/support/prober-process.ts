import { type Socket, connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { notRun } from './process-figures.js';

/*
 * Asks GET /healthz of a service and reads with a key, by turns, in a process of its own so that no load generator disturbs
 * it, and asks a bystander: a server that does nothing else. What the service's main thread, or this process, was ready to run and
 * got no processor for in the meantime is measured too: that is the machine's part in a wait. Prints what it measured
 * when its standard input ends.
 */

const [servicePort, servicePid, bystanderPort] = process.argv.slice(2).map(Number);
const key = process.argv[5] ?? '';

const pause_ms = 10;
/** Every so many requests a new connection is made, so that one that cannot be made shows too. */
const requestsPerConnection = 20;
const requests = ['/healthz', '/v2/videos?limit=10'].map(
  (path) => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-API-Key: ${key}\r\n\r\n`,
);

try {
  setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
} catch {
  // Not every user may do this; the response times of the bystander show the effect.
}

interface Wait {
  readonly clock: number;
  /** Without the time in which nothing ran because the machine was busy. */
  readonly own: number;
}

interface Probe {
  readonly waits: Wait[];
  failures: number;
  /** Start time of the request in progress. */
  pendingSince: number | null;
}

const answered = (socket: Socket, request: string): Promise<void> =>
  new Promise((resolve, reject) => {
    let text = '';
    const stop = (): void => {
      socket.off('data', onData).off('error', onEnd).off('close', onEnd);
    };
    const onEnd = (): void => {
      stop();
      reject(new Error('the connection ended'));
    };
    const onData = (chunk: Buffer): void => {
      text += chunk.toString('latin1');
      if (!text.includes('\r\n\r\n') || !text.endsWith('}')) return;
      stop();
      if (text.startsWith('HTTP/1.1 200')) resolve();
      else reject(new Error(text));
    };
    socket.on('data', onData).on('error', onEnd).on('close', onEnd);
    socket.write(request);
  });

const end = new AbortController();

const probe = (port: number, pids: ReadonlyArray<number>): Probe => {
  const delayed = (): number => pids.reduce((sum, pid) => sum + notRun(pid), 0);

  const measured: Probe = { waits: [], failures: 0, pendingSince: null };
  const run = async (): Promise<void> => {
    let socket: Socket | null = null;
    let sent = 0;
    while (!end.signal.aborted) {
      const before = delayed();
      const start = performance.now();
      measured.pendingSince = start;
      if (socket === null || socket.destroyed || sent % requestsPerConnection === 0) {
        socket?.destroy();
        socket = connect({ port, host: '127.0.0.1', noDelay: true });
        socket.on('error', () => undefined);
      }
      sent += 1;
      try {
        await answered(socket, requests[sent % requests.length] ?? '');
        const clock = performance.now() - start;
        measured.waits.push({ clock, own: Math.max(0, clock - (delayed() - before)) });
      } catch {
        measured.failures += 1;
        socket.destroy();
      }
      measured.pendingSince = null;
      await setTimeout(pause_ms);
    }
    socket?.destroy();
  };
  void run();
  return measured;
};

const probes = {
  service: probe(servicePort ?? 0, [servicePid ?? 0, process.pid]),
  bystander: probe(bystanderPort ?? 0, []),
};

const longest = (waits: ReadonlyArray<number>): number => waits.reduce((most, wait) => Math.max(most, wait), 0);

const figuresOf = ({ waits, failures, pendingSince }: Probe) => {
  const open = pendingSince === null ? 0 : performance.now() - pendingSince;
  return {
    own: longest([open, ...waits.map(({ own }) => own)]),
    clock: longest([open, ...waits.map(({ clock }) => clock)]),
    requests: waits.length,
    failures,
  };
};

process.stdin.resume().on('end', () => {
  end.abort();
  process.stdout.write(
    JSON.stringify({ service: figuresOf(probes.service), bystander: figuresOf(probes.bystander) }),
    () => process.exit(0),
  );
});
