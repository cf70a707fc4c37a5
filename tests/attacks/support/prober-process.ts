import { type Socket, connect } from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout } from 'node:timers/promises';

/*
 * Asks GET /healthz of a service again and again, in a process of its own so that no load generator disturbs it, and
 * of a bystander: a server that does nothing else. How long the bystander's answers take shows how busy the machine
 * is. Prints what it measured when its standard input ends.
 */

const [servicePort, bystanderPort] = process.argv.slice(2).map(Number);

const pause_ms = 10;
/** Every so many requests a new connection is made, so that one that cannot be made shows too. */
const requestsPerConnection = 20;
const request = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

try {
  setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
} catch {
  // Not everybody may; the bystander's waits tell what that costs.
}

interface Lane {
  readonly waits: number[];
  failures: number;
  /** When the request that is not answered yet was made. */
  asked: number | null;
}

const answered = (socket: Socket): Promise<void> =>
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

const lane = (port: number): Lane => {
  const measured: Lane = { waits: [], failures: 0, asked: null };
  const run = async (): Promise<void> => {
    let socket: Socket | null = null;
    let sent = 0;
    while (!end.signal.aborted) {
      const start = performance.now();
      measured.asked = start;
      if (socket === null || socket.destroyed || sent % requestsPerConnection === 0) {
        socket?.destroy();
        socket = connect({ port, host: '127.0.0.1', noDelay: true });
        socket.on('error', () => undefined);
      }
      sent += 1;
      try {
        await answered(socket);
        measured.waits.push(performance.now() - start);
      } catch {
        measured.failures += 1;
        socket.destroy();
      }
      measured.asked = null;
      await setTimeout(pause_ms);
    }
    socket?.destroy();
  };
  void run();
  return measured;
};

const lanes = { service: lane(servicePort ?? 0), bystander: lane(bystanderPort ?? 0) };

const figuresOf = ({ waits, failures, asked }: Lane) => {
  const open = asked === null ? [] : [performance.now() - asked];
  const sorted = [...waits, ...open].sort((a, b) => a - b);
  return {
    longest: sorted.at(-1) ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    asked: sorted.length,
    failures,
  };
};

process.stdin.resume().on('end', () => {
  end.abort();
  process.stdout.write(
    JSON.stringify({ service: figuresOf(lanes.service), bystander: figuresOf(lanes.bystander) }),
    () => process.exit(0),
  );
});
