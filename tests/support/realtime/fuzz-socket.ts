import type { HttpClient } from '../http-client.js';
import { type Answered, type RawResults, openRaw } from './raw-results.js';
import { type Spoilt, spoiltMessage } from './spoilt-messages.js';
import { newSession, pathOf } from './stage.js';

export interface SocketFuzzOutcome {
  readonly sessions: number;
  /** Messages after which the service heard on. */
  readonly heard: number;
  /** Messages that it closed for, by its code; null: without one, as it was asked. */
  readonly closed: ReadonlyMap<number | null, number>;
  /** Beginnings of frames: the service ended the connection when its client did. */
  readonly unfinished: number;
  /** What it should not have answered. */
  readonly faults: readonly string[];
}

/** Sockets at a time. */
const lanes = 24;
/** So many messages and pings a socket may send between two pings of the service, each message with a ping after it. */
const mostMessages = 90;

/** After so many faults no session is begun any more. */
const mostFaults = 200;

/** Codes that frames which nobody can foretell may be closed with: a fault of theirs, or their own code said back. */
const isOwed = (code: number | null): boolean =>
  code === null || (code >= 1000 && code <= 1014 && ![1004, 1005, 1006, 1008].includes(code)) || code >= 3000;

const isRight = ({ due }: Spoilt, answer: Answered): boolean => {
  if (due === 'hears') return answer.kind === 'hears';
  if (due === 'anything') return answer.kind !== 'closed' || isOwed(answer.code);
  return answer.kind === 'closed' && answer.code === due.closes;
};

const shown = (bytes: Buffer): string => `${bytes.subarray(0, 80).toString('hex')} (${bytes.length} bytes)`;

/** Sends a service so many spoilt messages over sockets of sessions of its own, and looks at what each is answered. */
export const fuzzSocket = async (
  client: HttpClient,
  count: number,
  random: () => number,
  progress: (done: number) => void = () => undefined,
): Promise<SocketFuzzOutcome> => {
  const closed = new Map<number | null, number>();
  const faults: string[] = [];
  const done = { begun: 0, ended: 0, sessions: 0, heard: 0, unfinished: 0 };

  /** Whether the socket may be used on. */
  const send = async (socket: RawResults, spoilt: Spoilt): Promise<boolean> => {
    socket.write(spoilt.bytes);
    const asked = socket.answered();
    /* Whether the bytes make a frame is known to nobody: the end of the connection tells. */
    const ended = spoilt.due === 'anything' ? socket.hangUp() : null;
    const answer = await asked;
    await ended;
    if (!isRight(spoilt, answer)) faults.push(`${JSON.stringify(answer)} for ${shown(spoilt.bytes)}`);
    if (answer.kind === 'hears') done.heard += 1;
    else if (answer.kind === 'closed') closed.set(answer.code, (closed.get(answer.code) ?? 0) + 1);
    else done.unfinished += 1;
    return answer.kind === 'hears' && ended === null;
  };

  const oneSession = async (): Promise<void> => {
    const session = await newSession(client);
    const socket = await openRaw(session);
    done.sessions += 1;
    for (let sent = 0, open = true; open && sent < mostMessages && done.begun < count;) {
      done.begun += 1;
      const spoilt = spoiltMessage(random);
      sent += spoilt.count + 1;
      open = await send(socket, spoilt);
      done.ended += 1;
      progress(done.ended);
    }
    await socket.hangUp();
    faults.push(...socket.strange);
    const { status, text } = await client.post(pathOf(session, '/end'));
    if (status !== 200) faults.push(`end: ${text}`);
  };
  /* A session that could not be used is a fault to tell, with all others, and no end of the fuzz. */
  const lane = async (): Promise<void> => {
    while (done.begun < count && faults.length < mostFaults)
      await oneSession().catch((error: unknown) => {
        faults.push(error instanceof Error ? error.message : String(error));
      });
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const { sessions, heard, unfinished } = done;
  return { sessions, heard, closed, unfinished, faults };
};
