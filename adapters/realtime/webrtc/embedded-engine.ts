import type {
  EngineReport,
  EngineUnavailable,
  InvalidIceCandidate,
  InvalidSdp,
  RealtimeEngine,
} from '../../../application/ports/realtime-engine.js';
import { type MediaThread, startMediaThread, type Answer, type PeerOptions } from './media-thread-handle.js';
import { availableParallelism } from 'node:os';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';

type Listener = (report: EngineReport) => void;

/** A session of the pool. */
interface Session {
  /** The thread that serves it; undefined: that thread has ended. */
  thread: MediaThread | undefined;
  /** Gets its reports. */
  listener: Listener;
  /** When its first media came, in milliseconds of a clock that threads share; null: none have come. */
  mediaStart: number | null;
}

/** UDP ports, first and last. */
type Ports = readonly [number, number];

/** A range is not divided into parts of fewer ports than this. */
const minPortsPerThread = 100;

/** Into how many parts a range of ports is divided, one for each thread. */
const portShares = ([first, last]: Ports, maxThreads: number): number =>
  Math.max(1, Math.min(maxThreads, Math.floor((last - first + 1) / minPortsPerThread)));

/** The ports of the thread with this index, when the range is divided into `shares` parts. */
const portShare = ([first, last]: Ports, index: number, shares: number): [number, number] => {
  const size = last - first + 1;
  return [first + Math.floor((size * index) / shares), first + Math.floor((size * (index + 1)) / shares) - 1];
};

/**
 * A pool of media threads that are started on demand. When one dies, its sessions fail and it is replaced. Each thread
 * has UDP ports of its own: the WebRTC library looks for a free port before it opens it, so two threads would collide.
 */
const mediaThreads = (wanted: number, options: PeerOptions, fault: (reason: string) => void) => {
  const { portRange } = options;
  const maxThreads = portRange === undefined ? wanted : portShares(portRange, wanted);
  const optionsOf = (index: number): PeerOptions =>
    portRange === undefined ? options : { ...options, portRange: portShare(portRange, index, maxThreads) };
  const threads = new Map<number, MediaThread>();
  const sessions = new Map<string, Session>();
  const start = (index: number): MediaThread => {
    const thread = startMediaThread(optionsOf(index), {
      report: (id, report) => {
        const session = sessions.get(id);
        if (session?.thread !== thread) return;
        if (report.kind === 'media' && report.state === 'connected')
          session.mediaStart ??= performance.timeOrigin + performance.now();
        session.listener(report);
      },
      fault,
      ended: (reason) => {
        threads.delete(index);
        fault(reason);
        for (const session of sessions.values()) {
          if (session.thread !== thread) continue;
          session.thread = undefined;
          session.listener({ kind: 'media', state: 'failed' });
        }
      },
    });
    threads.set(index, thread);
    return thread;
  };
  /** The thread with the fewest sessions; a thread that would have to be started is preferred to one with sessions. */
  const leastBusy = (): MediaThread => {
    const assigned = [...sessions.values()];
    const load = (index: number): number => {
      const thread = threads.get(index);
      return thread === undefined ? 0.5 : assigned.filter((session) => session.thread === thread).length;
    };
    const [index = 0] = Array.from({ length: maxThreads }, (_, n) => n).sort((one, other) => load(one) - load(other));
    return threads.get(index) ?? start(index);
  };

  return {
    /** A session and its thread, which it is assigned if it has none. */
    assign: (id: string): Session & { readonly thread: MediaThread } => {
      const session = sessions.get(id) ?? { thread: undefined, listener: constVoid, mediaStart: null };
      sessions.set(id, session);
      return Object.assign(session, { thread: session.thread ?? leastBusy() });
    },
    /** Removes a session, whose reports are dropped from now on. Returns its thread. */
    remove: (id: string): MediaThread | undefined => {
      const thread = sessions.get(id)?.thread;
      sessions.delete(id);
      return thread;
    },
    all: () => [...threads.values()],
    /** All threads; starts the first one if there is none. */
    atLeastOne: () => (threads.size === 0 ? [start(0)] : [...threads.values()]),
  };
};

interface EngineOptions extends Partial<PeerOptions> {
  /** The number of worker threads for media; default: one for each core. */
  readonly threads?: number;
  /** Called when a thread dies and when a fault occurs inside one. */
  readonly fault?: (reason: string) => void;
}

const defaults: PeerOptions = {
  iceServers: [],
  additionalAddresses: [],
  relayOnly: false,
  answerTimeoutMs: 10_000,
};

const unavailable = (reason: string): EngineUnavailable => ({ _tag: 'EngineUnavailable', reason });

const done: Answer = { kind: 'done', sdp: '' };
const toVoid = TE.map(() => undefined);

/**
 * Terminates WebRTC inside the service and analyses the media in worker threads. Audio is Opus; frames of VP8, H.264,
 * VP9 and AV1 are counted.
 */
export const embeddedEngine = ({
  threads: wanted = availableParallelism(),
  fault = constVoid,
  ...options
}: EngineOptions = {}): RealtimeEngine => {
  const threads = mediaThreads(wanted, { ...defaults, ...options }, fault);
  let isShutDown = false;
  /** The answer of a thread as the port has it. `refused` turns the reason of a refusal into the port's error. */
  const ask =
    <R>(send: () => Promise<Answer>, refused: (reason: string) => R): TE.TaskEither<R | EngineUnavailable, string> =>
    async () => {
      if (isShutDown) return E.left(unavailable('the engine was shut down'));
      const answer = await send();
      switch (answer.kind) {
        case 'done':
          return E.right(answer.sdp);
        case 'refused':
          return E.left(refused(answer.reason));
        case 'lost':
          return E.left(unavailable(answer.reason));
      }
    };
  const ping = async (): Promise<Answer> => {
    const answers = await Promise.all(threads.atLeastOne().map((thread) => thread.send({ kind: 'ping' })));
    return answers.find(({ kind }) => kind === 'lost') ?? done;
  };

  return {
    health: () => toVoid(ask(ping, unavailable)),
    negotiate: (id, sdp, report) =>
      pipe(
        ask(
          () => {
            const session = threads.assign(id);
            session.listener = report;
            return session.thread.send({ kind: 'negotiate', session: id, sdp, mediaStart: session.mediaStart });
          },
          (reason): InvalidSdp => ({ _tag: 'InvalidSdp', reason }),
        ),
        TE.map((answer) => ({ sdp: answer })),
      ),
    addCandidate: (session, { candidate, sdp_mid: mid, sdp_m_line_index: line }) =>
      toVoid(
        ask(
          () => threads.assign(session).thread.send({ kind: 'candidate', session, candidate, mid, line }),
          (reason): InvalidIceCandidate => ({ _tag: 'InvalidIceCandidate', reason }),
        ),
      ),
    close: (session) =>
      toVoid(ask(async () => threads.remove(session)?.send({ kind: 'close', session }) ?? done, unavailable)),
    shutDown: async () => {
      isShutDown = true;
      await Promise.all(threads.all().map((thread) => thread.stop()));
    },
  };
};
