import { type Socket, connect } from 'node:net';
import { type WholeAnswer, firstAnswer } from './read-answers.js';
import { receiveBuffer } from './receive-buffer.js';
import type { WireRequest } from './requests.js';

/** The result of a request. Null: the connection ended without an answer. */
export interface Answered {
  readonly request: WireRequest;
  readonly answer: WholeAnswer | null;
  readonly ms: number;
}

interface Waiting {
  readonly request: WireRequest;
  readonly since: number;
  readonly done: (answered: Answered) => void;
}

/** The duration of a streamed answer depends on its size, so its beginning counts. */
const isStreamed = ({ headers }: WholeAnswer): boolean =>
  headers['content-type']?.startsWith('application/x-ndjson') === true;

/** Time limit for an answer. */
const patience = 15_000;

/** A connection that is kept alive, and opened again when it has ended. */
export const openConnection = (port: number) => {
  let socket: Socket | null = null;
  let received = receiveBuffer();
  let waiting: Waiting[] = [];
  let previous = 0;
  /** When the first bytes of the next answer arrived; null if none have. */
  let began: number | null = null;

  const finish = (answer: WholeAnswer | null): void => {
    const [first, ...others] = waiting;
    if (first === undefined) return;
    waiting = others;
    const now = performance.now();
    const answered = answer !== null && isStreamed(answer) ? (began ?? now) : now;
    first.done({ request: first.request, answer, ms: answered - Math.max(first.since, previous) });
    [previous, began] = [now, null];
  };

  const drop = (ended: Socket): void => {
    if (socket !== ended) return;
    socket = null;
    ended.destroy();
    while (waiting.length > 0) finish(null);
  };

  const read = (from: Socket, chunk: Buffer): void => {
    if (socket !== from) return;
    received.add(chunk);
    for (;;) {
      const [first] = waiting;
      if (received.bytes().length > 0) began ??= performance.now();
      const found = first === undefined ? null : firstAnswer(received.bytes(), first.request.method);
      if (found === null) return;
      received.keep(found.rest);
      finish(found.answer);
      if (found.answer.last) return drop(from);
    }
  };

  const open = (): Socket => {
    const opened = connect({ port, host: '127.0.0.1', noDelay: true });
    socket = opened;
    [received, began] = [receiveBuffer(), null];
    opened
      .setTimeout(patience, () => drop(opened))
      .on('data', (chunk: Buffer) => read(opened, chunk))
      .on('error', () => drop(opened))
      .on('close', () => drop(opened));
    return opened;
  };

  const send = (requests: ReadonlyArray<WireRequest>): Promise<ReadonlyArray<Answered>> => {
    const at = socket ?? open();
    const since = performance.now();
    const answers = requests.map(
      (request) => new Promise<Answered>((done) => void waiting.push({ request, since, done })),
    );
    at.write(requests.length === 1 ? (requests[0]?.bytes ?? '') : Buffer.concat(requests.map(({ bytes }) => bytes)));
    return Promise.all(answers);
  };

  return {
    /** Sends pipelined requests. Those that the end of the connection left unanswered are sent once more, on a new one. */
    ask: async (requests: ReadonlyArray<WireRequest>): Promise<ReadonlyArray<Answered>> => {
      const first = await send(requests);
      const lost = first.filter(({ answer, ms }) => answer === null && ms < patience - 1_000);
      const again: Answered[] = [];
      for (const { request } of lost) again.push(...(await send([request])));
      return [...first.filter((answered) => !lost.includes(answered)), ...again];
    },
    close: () => socket?.destroy(),
  };
};

/** The result of bytes sent on a separate connection, whose sending side was then closed. */
export interface Ended {
  readonly answers: ReadonlyArray<WholeAnswer>;
  /** Received bytes that are not a complete answer. */
  readonly rest: string;
  /** Whether the service ended the connection in time. */
  readonly ended: boolean;
  /** Milliseconds until then. */
  readonly ms: number;
}

export const sendOnNewConnection = (port: number, { bytes, method }: WireRequest): Promise<Ended> =>
  new Promise((resolve) => {
    const start = performance.now();
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const chunks: Buffer[] = [];
    const done = (ended: boolean): void => {
      socket.destroy();
      const answers: WholeAnswer[] = [];
      let rest = Buffer.concat(chunks);
      for (;;) {
        const found = firstAnswer(rest, method);
        if (found === null) break;
        answers.push(found.answer);
        rest = Buffer.from(found.rest);
      }
      resolve({ answers, rest: rest.toString('latin1', 0, 200), ended, ms: performance.now() - start });
    };
    socket
      .setTimeout(patience, () => done(false))
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => done(true))
      .on('error', () => done(true));
    socket.end(bytes);
  });
