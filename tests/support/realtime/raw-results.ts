import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { clientFrame, opcodes, serverFrames } from './client-frames.js';
import type { NewSession } from './stage.js';

/** How the service answered: it keeps the socket open, it sent a close code (null: none), or it only ended the connection. */
export type Answered =
  | { readonly kind: 'open' }
  | { readonly kind: 'closed'; readonly code: number | null; readonly reason: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'silent' };

/** A results socket on which the test can write any bytes. */
export interface RawResults {
  readonly write: (bytes: Uint8Array) => void;
  /** Sends a ping and waits for the answer: whether everything before it was read. */
  readonly answered: () => Promise<Answered>;
  /** Ends this side; fulfilled when the service has ended its own. */
  readonly hangUp: () => Promise<void>;
  /** Received texts that are not results frames. */
  readonly unexpected: readonly string[];
}

const patience = 30_000;

const isResultsFrame = (text: string): boolean => {
  const frame: unknown = JSON.parse(text);
  return typeof frame === 'object' && frame !== null && 'type' in frame && 'session_id' in frame && 'at' in frame;
};

const handshake = ({ results_url, token }: NewSession): string => {
  const { host, pathname, search } = new URL(results_url);
  const lines = [
    `GET ${pathname}${search}&token=${token} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
};

/** Answers by the name of their request; each can be awaited, with a time limit. */
const pendingAnswers = () => {
  const received = new Map<string, Answered>();
  const waiting = new Map<string, (answer: Answered) => void>();
  let over: Answered | null = null;
  return {
    resolve: (name: string, answer: Answered): void => {
      received.set(name, answer);
      waiting.get(name)?.(answer);
    },
    resolveAll: (answer: Answered): void => {
      over ??= answer;
      for (const resolve of waiting.values()) resolve(over);
    },
    of: (name: string): Promise<Answered> =>
      new Promise((resolve) => {
        const answers = over ?? received.get(name);
        if (answers !== undefined) return resolve(answers);
        const late = setTimeout(() => resolve({ kind: 'silent' }), patience);
        waiting.set(name, (answer) => {
          clearTimeout(late);
          waiting.delete(name);
          resolve(answer);
        });
      }),
  };
};

/** Opens the results socket of a session without a WebSocket library; resolves once `ready` has arrived. */
export const openRaw = async (session: NewSession): Promise<RawResults> => {
  const { hostname, port } = new URL(session.results_url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const answers = pendingAnswers();
  const unexpected: string[] = [];
  let upgraded = false;
  let buffered: Buffer = Buffer.alloc(0);
  let pings = 0;
  socket.on('data', (bytes: Buffer) => {
    buffered = Buffer.concat([buffered, bytes]);
    if (!upgraded) {
      const head = buffered.indexOf('\r\n\r\n');
      if (head < 0) return;
      upgraded = true;
      buffered = buffered.subarray(head + 4);
    }
    const { frames, rest } = serverFrames(buffered);
    buffered = Buffer.from(rest);
    for (const { opcode, payload } of frames) {
      if (opcode === opcodes.pong) answers.resolve(payload.toString(), { kind: 'open' });
      else if (opcode === opcodes.close)
        answers.resolveAll({
          kind: 'closed',
          code: payload.length < 2 ? null : payload.readUInt16BE(),
          reason: payload.subarray(2).toString(),
        });
      else if (opcode !== opcodes.text || !isResultsFrame(payload.toString()))
        unexpected.push(payload.toString('latin1'));
      else answers.resolve('text', { kind: 'open' });
    }
  });
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  socket.on('end', () => {
    answers.resolveAll({ kind: 'ended' });
    socket.end();
  });
  socket.on('error', () => answers.resolveAll({ kind: 'ended' }));
  socket.write(handshake(session));
  const opened = await answers.of('text');
  if (opened.kind !== 'open') throw new Error(`not opened: ${JSON.stringify(opened)} ${buffered.toString('latin1')}`);
  return {
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    answered: () => {
      pings += 1;
      const name = `ping ${pings}`;
      if (socket.writable) socket.write(clientFrame({ opcode: opcodes.ping, payload: Buffer.from(name) }));
      return answers.of(name);
    },
    hangUp: async () => {
      socket.end();
      const late = setTimeout(() => socket.destroy(new Error('the service did not end the connection')), patience);
      await closed;
      clearTimeout(late);
    },
    unexpected,
  };
};
