import type { HttpClient } from '../http-client.js';
import { type Answered, type RawResults, openRaw } from './raw-results.js';
import { type FuzzMessage, fuzzMessage } from './fuzz-messages.js';
import { newSession, pathOf } from './stage.js';

export interface SocketFuzzOutcome {
  readonly sessions: number;
  /** Messages after which the service kept the socket open. */
  readonly accepted: number;
  /** Messages that made the service close the socket, by close code; null: without a code. */
  readonly closed: ReadonlyMap<number | null, number>;
  /** Incomplete frames: the service ended the connection after the client did. */
  readonly unfinished: number;
  /** Answers that were not expected. */
  readonly faults: readonly string[];
}

/** Sockets at the same time. */
const concurrency = 24;
/** Messages and pings that a socket may send between two pings of the service, each message with a ping after it. */
const maxMessages = 90;

/** After this many faults no further session is opened. */
const maxFaults = 200;

/** Close codes for frames with random bytes: the code of a protocol error, or the client's own code, echoed. */
const isPossibleCloseCode = (code: number | null): boolean =>
  code === null || (code >= 1000 && code <= 1014 && ![1004, 1005, 1006, 1008].includes(code)) || code >= 3000;

const isExpected = ({ expected }: FuzzMessage, answer: Answered): boolean => {
  if (expected === 'open') return answer.kind === 'open';
  if (expected === 'anything') return answer.kind !== 'closed' || isPossibleCloseCode(answer.code);
  return answer.kind === 'closed' && answer.code === expected.closes;
};

const shown = (bytes: Buffer): string => `${bytes.subarray(0, 80).toString('hex')} (${bytes.length} bytes)`;

/** Sends a service `count` valid and malformed messages over sockets of new sessions, and checks the answer to each. */
export const fuzzSocket = async (
  client: HttpClient,
  count: number,
  random: () => number,
  progress: (done: number) => void = () => undefined,
): Promise<SocketFuzzOutcome> => {
  const closed = new Map<number | null, number>();
  const faults: string[] = [];
  const done = { begun: 0, ended: 0, sessions: 0, accepted: 0, unfinished: 0 };

  /** Returns whether the socket can still be used. */
  const send = async (socket: RawResults, message: FuzzMessage): Promise<boolean> => {
    socket.write(message.bytes);
    const answering = socket.answered();
    /* Nobody knows whether random bytes are a frame: the end of the connection shows it. */
    const ended = message.expected === 'anything' ? socket.hangUp() : null;
    const answer = await answering;
    await ended;
    if (!isExpected(message, answer)) faults.push(`${JSON.stringify(answer)} for ${shown(message.bytes)}`);
    if (answer.kind === 'open') done.accepted += 1;
    else if (answer.kind === 'closed') closed.set(answer.code, (closed.get(answer.code) ?? 0) + 1);
    else done.unfinished += 1;
    return answer.kind === 'open' && ended === null;
  };

  const oneSession = async (): Promise<void> => {
    const session = await newSession(client);
    const socket = await openRaw(session);
    done.sessions += 1;
    for (let sent = 0, open = true; open && sent < maxMessages && done.begun < count;) {
      done.begun += 1;
      const message = fuzzMessage(random);
      sent += message.count + 1;
      open = await send(socket, message);
      done.ended += 1;
      progress(done.ended);
    }
    await socket.hangUp();
    faults.push(...socket.unexpected);
    const { status, text } = await client.post(pathOf(session, '/end'));
    if (status !== 200) faults.push(`end: ${text}`);
  };
  /* A session that could not be used is reported as a fault and does not end the run. */
  const worker = async (): Promise<void> => {
    while (done.begun < count && faults.length < maxFaults)
      await oneSession().catch((error: unknown) => {
        faults.push(error instanceof Error ? error.message : String(error));
      });
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { sessions, accepted, unfinished } = done;
  return { sessions, accepted, closed, unfinished, faults };
};
