import * as t from 'io-ts';
import { WebSocket } from 'ws';
import { until } from '../event-store/stores.js';

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
  let ended: string | null = null;
  closed.then(
    ({ code, reason }) => (ended = `${code} ${reason}`),
    (error: unknown) => (ended = String(error)),
  );
  socket.on('message', (data: Buffer) => {
    const frame: unknown = JSON.parse(data.toString());
    if (!Frame.is(frame)) throw new Error(`no frame: ${data.toString()}`);
    frames.push(frame);
  });
  return {
    frames,
    closed,
    socket,
    waitFor: async (passes) => {
      await until('the frame', () => frames.some(passes) || ended !== null);
      const found = frames.find(passes);
      if (found === undefined) throw new Error(`closed ${ended}; received ${JSON.stringify(frames)}`);
      return found;
    },
  };
};
