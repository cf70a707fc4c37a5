import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { clientFrame, opcodes, serverFrames } from './client-frames.js';
import type { NewSession } from './stage.js';

/** How the service answered: it goes on, it closed with a code (null: none), or it only ended the connection. */
export type Answered =
  | { readonly kind: 'hears' }
  | { readonly kind: 'closed'; readonly code: number | null; readonly reason: string }
  | { readonly kind: 'ended' }
  | { readonly kind: 'silent' };

/** A results socket on which any bytes can be written. */
export interface RawResults {
  readonly write: (bytes: Uint8Array) => void;
  /** Asks whether what was written was read: a ping, and what came of it. */
  readonly answered: () => Promise<Answered>;
  /** Ends this side; fulfilled when the service has ended its own. */
  readonly hangUp: () => Promise<void>;
  /** Texts that came and are no frames of ours. */
  readonly strange: readonly string[];
}

const patience = 30_000;

const isOurs = (text: string): boolean => {
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

/** Waits for the first of several outcomes that are told, with patience. */
const outcomes = () => {
  const settled = new Map<string, Answered>();
  const waiting = new Map<string, (answer: Answered) => void>();
  let over: Answered | null = null;
  return {
    tell: (name: string, answer: Answered): void => {
      settled.set(name, answer);
      waiting.get(name)?.(answer);
    },
    tellAll: (answer: Answered): void => {
      over ??= answer;
      for (const resolve of waiting.values()) resolve(over);
    },
    of: (name: string): Promise<Answered> =>
      new Promise((resolve) => {
        const told = over ?? settled.get(name);
        if (told !== undefined) return resolve(told);
        const late = setTimeout(() => resolve({ kind: 'silent' }), patience);
        waiting.set(name, (answer) => {
          clearTimeout(late);
          waiting.delete(name);
          resolve(answer);
        });
      }),
  };
};

/** Opens the results of a session by hand; fulfilled once `ready` has come. */
export const openRaw = async (session: NewSession): Promise<RawResults> => {
  const { hostname, port } = new URL(session.results_url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const told = outcomes();
  const strange: string[] = [];
  let upgraded = false;
  let came: Buffer = Buffer.alloc(0);
  let pings = 0;
  socket.on('data', (bytes: Buffer) => {
    came = Buffer.concat([came, bytes]);
    if (!upgraded) {
      const head = came.indexOf('\r\n\r\n');
      if (head < 0) return;
      upgraded = true;
      came = came.subarray(head + 4);
    }
    const { frames, rest } = serverFrames(came);
    came = Buffer.from(rest);
    for (const { opcode, payload } of frames) {
      if (opcode === opcodes.pong) told.tell(payload.toString(), { kind: 'hears' });
      else if (opcode === opcodes.close)
        told.tellAll({
          kind: 'closed',
          code: payload.length < 2 ? null : payload.readUInt16BE(),
          reason: payload.subarray(2).toString(),
        });
      else if (opcode !== opcodes.text || !isOurs(payload.toString())) strange.push(payload.toString('latin1'));
      else told.tell('text', { kind: 'hears' });
    }
  });
  const gone = new Promise<void>((resolve) => socket.once('close', resolve));
  socket.on('end', () => {
    told.tellAll({ kind: 'ended' });
    socket.end();
  });
  socket.on('error', () => told.tellAll({ kind: 'ended' }));
  socket.write(handshake(session));
  const opened = await told.of('text');
  if (opened.kind !== 'hears') throw new Error(`not opened: ${JSON.stringify(opened)} ${came.toString('latin1')}`);
  return {
    write: (bytes) => void (socket.writable && socket.write(bytes)),
    answered: () => {
      pings += 1;
      const name = `asked ${pings}`;
      if (socket.writable) socket.write(clientFrame({ opcode: opcodes.ping, payload: Buffer.from(name) }));
      return told.of(name);
    },
    hangUp: async () => {
      socket.end();
      const late = setTimeout(() => socket.destroy(new Error('the service did not end the connection')), patience);
      await gone;
      clearTimeout(late);
    },
    strange,
  };
};
