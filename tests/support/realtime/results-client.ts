import { once } from 'node:events';
import * as t from 'io-ts';
import { WebSocket } from 'ws';

const Frame = t.intersection([t.type({ type: t.string, session_id: t.string, at: t.string }), t.UnknownRecord]);
export type Frame = t.TypeOf<typeof Frame>;

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A client of the results socket that records the received frames. */
export interface ResultsClient {
  readonly frames: ReadonlyArray<Frame>;
  /** The first frame that passes, received already or later; rejects if the socket closes first. */
  readonly waitFor: (passes: (frame: Frame) => boolean) => Promise<Frame>;
  readonly closed: Promise<Closed>;
  readonly socket: WebSocket;
}

interface Handshake {
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: ReadonlyArray<string>;
  /** Whether it answers pings. */
  readonly autoPong?: boolean;
}

const patience = 30_000;

/** Connects to an address such as `results_url`. If the service closes the socket at once, `closed` resolves. */
export const connectResults = (
  url: string,
  { headers = {}, protocols = [], autoPong = true }: Handshake = {},
): ResultsClient => {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [...protocols], { headers: { ...headers }, autoPong });
  const frames: Frame[] = [];
  const closed = new Promise<Closed>((resolve, reject) => {
    socket.once('close', (code: number, reason: Buffer) => resolve({ code, reason: reason.toString() }));
    socket.once('error', reject);
  });
  closed.catch(() => undefined);
  socket.on('message', (data: Buffer) => {
    const frame: unknown = JSON.parse(data.toString());
    if (!Frame.is(frame)) throw new Error(`no frame: ${data.toString()}`);
    frames.push(frame);
    socket.emit('frame', frame);
  });
  return {
    frames,
    closed,
    socket,
    waitFor: async (passes) => {
      const deadline = AbortSignal.any([AbortSignal.timeout(patience)]);
      for (;;) {
        const found = frames.find(passes);
        if (found !== undefined) return found;
        const ended = closed.then(({ code, reason }) => {
          const late = frames.find(passes);
          if (late === undefined) throw new Error(`closed ${code} ${reason}; received ${JSON.stringify(frames)}`);
        });
        await Promise.race([once(socket, 'frame', { signal: deadline }), ended]);
      }
    },
  };
};
