import type {
  EngineReport,
  EngineUnavailable,
  InvalidIceCandidate,
  InvalidSdp,
  RealtimeEngine,
} from '../../../application/ports/realtime-engine.js';
import { type Answer, type MediaThread, startMediaThread } from './media-thread-handle.js';
import type { PeerOptions } from './thread-protocol.js';
import { availableParallelism } from 'node:os';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';

type Listener = (report: EngineReport) => void;

interface Thread {
  /** Its number in the pool. A thread that replaces another takes over its number. */
  readonly index: number;
  readonly thread: MediaThread;
  readonly sessions: Map<string, Listener>;
}

export interface MediaThreads {
  /** The thread of a session; a new session is assigned to the thread with the fewest sessions. */
  readonly assign: (session: string) => MediaThread;
  readonly find: (session: string) => MediaThread | undefined;
  /** When the first media of a session came, in milliseconds of a clock that threads share; null: none have come. */
  readonly mediaStart: (session: string) => number | null;
  /** Sets who gets the reports of a session from now on. */
  readonly listen: (session: string, listener: Listener) => void;
  /** Removes a session: its reports are dropped from now on. */
  readonly remove: (session: string) => void;
  readonly all: () => readonly MediaThread[];
  /** All threads; starts the first one if there is none. */
  readonly atLeastOne: () => readonly MediaThread[];
}

/** UDP ports, first and last. */
type Ports = readonly [number, number];

/** A range is not divided into parts of fewer ports than this. */
const minPortsPerThread = 100;

/** Into how many parts a range of ports is divided, one for each thread. */
export const portShares = ([first, last]: Ports, maxThreads: number): number =>
  Math.max(1, Math.min(maxThreads, Math.floor((last - first + 1) / minPortsPerThread)));

/** The ports of the thread with this index, when the range is divided into `shares` parts. */
export const portShare = ([first, last]: Ports, index: number, shares: number): [number, number] => {
  const size = last - first + 1;
  return [first + Math.floor((size * index) / shares), first + Math.floor((size * (index + 1)) / shares) - 1];
};

const ignoreReports: Listener = () => undefined;

/**
 * A pool of media threads that are started on demand. When one dies, its sessions fail and it is replaced. Each thread
 * has UDP ports of its own: the WebRTC library looks for a free port before it opens it, so two threads would collide.
 */
export const mediaThreads = (wanted: number, options: PeerOptions, fault: (reason: string) => void): MediaThreads => {
  const threads = new Set<Thread>();
  const mediaStarts = new Map<string, number>();
  const { portRange } = options;
  const maxThreads = portRange === undefined ? wanted : portShares(portRange, wanted);
  const optionsOf = (index: number): PeerOptions =>
    portRange === undefined ? options : { ...options, portRange: portShare(portRange, index, maxThreads) };
  const start = (): Thread => {
    const sessions = new Map<string, Listener>();
    const used = new Set([...threads].map(({ index }) => index));
    const index = Array.from({ length: maxThreads }, (_, n) => n).find((n) => !used.has(n)) ?? 0;
    const thread = startMediaThread(optionsOf(index), {
      report: (session, report) => {
        const isMedia = report.kind === 'media' && report.state === 'connected' && sessions.has(session);
        if (isMedia && !mediaStarts.has(session)) mediaStarts.set(session, performance.timeOrigin + performance.now());
        sessions.get(session)?.(report);
      },
      fault,
      ended: (reason) => {
        threads.delete(started);
        fault(reason);
        for (const listener of sessions.values()) listener({ kind: 'media', state: 'failed' });
        sessions.clear();
      },
    });
    const started: Thread = { index, thread, sessions };
    threads.add(started);
    return started;
  };
  const holding = (session: string): Thread | undefined => [...threads].find(({ sessions }) => sessions.has(session));
  const leastBusy = (): Thread => {
    const candidate = [...threads].sort((a, b) => a.sessions.size - b.sessions.size)[0];
    if (candidate === undefined) return start();
    return candidate.sessions.size > 0 && threads.size < maxThreads ? start() : candidate;
  };

  return {
    assign: (session) => {
      const { thread, sessions } = holding(session) ?? leastBusy();
      if (!sessions.has(session)) sessions.set(session, ignoreReports);
      return thread;
    },
    find: (session) => holding(session)?.thread,
    mediaStart: (session) => mediaStarts.get(session) ?? null,
    listen: (session, listener) => {
      holding(session)?.sessions.set(session, listener);
    },
    remove: (session) => {
      mediaStarts.delete(session);
      holding(session)?.sessions.delete(session);
    },
    all: () => [...threads].map(({ thread }) => thread),
    atLeastOne: () => (threads.size === 0 ? [start()] : [...threads]).map(({ thread }) => thread),
  };
};

export interface EngineOptions extends Partial<PeerOptions> {
  /** The number of worker threads for media; default: one for each core. */
  readonly threads?: number;
  /** Called when a thread dies and when a fault occurs inside one. */
  readonly fault?: (reason: string) => void;
}

const defaultAnswerTimeoutMs = 10_000;

const unavailable = (reason: string): EngineUnavailable => ({ _tag: 'EngineUnavailable', reason });

/** The answer of a thread as the port has it. `refused` turns the reason of a refusal into the port's error. */
const outcome =
  <R>(
    send: () => Promise<Answer>,
    refused: (reason: string) => R,
  ): TE.TaskEither<R | EngineUnavailable, { readonly sdp: string }> =>
  async () => {
    const answer = await send();
    switch (answer.kind) {
      case 'done':
        return E.right({ sdp: answer.sdp });
      case 'refused':
        return E.left(refused(answer.reason));
      case 'lost':
        return E.left(unavailable(answer.reason));
    }
  };

const peerOptionsOf = (options: EngineOptions): PeerOptions => ({
  iceServers: options.iceServers ?? [],
  additionalAddresses: options.additionalAddresses ?? [],
  relayOnly: options.relayOnly ?? false,
  answerTimeoutMs: options.answerTimeoutMs ?? defaultAnswerTimeoutMs,
  ...(options.portRange === undefined ? {} : { portRange: options.portRange }),
});

const done: Answer = { kind: 'done', sdp: '' };
const toVoid = TE.map(() => undefined);

const ping = async (threads: MediaThreads): Promise<Answer> => {
  const answers = await Promise.all(threads.atLeastOne().map((thread) => thread.send({ kind: 'ping' })));
  return answers.find(({ kind }) => kind === 'lost') ?? done;
};

const close = async (threads: MediaThreads, session: string): Promise<Answer> => {
  const thread = threads.find(session);
  threads.remove(session);
  return thread === undefined ? done : thread.send({ kind: 'close', session });
};

/**
 * Terminates WebRTC inside the service and analyses the media in worker threads. Audio is Opus; frames of VP8, H.264,
 * VP9 and AV1 are counted.
 */
export const embeddedEngine = (options: EngineOptions = {}): RealtimeEngine => {
  const threads = mediaThreads(
    options.threads ?? availableParallelism(),
    peerOptionsOf(options),
    options.fault ?? (() => undefined),
  );
  let isShutDown = false;
  const unlessShutDown = (send: () => Promise<Answer>) => (): Promise<Answer> =>
    isShutDown ? Promise.resolve({ kind: 'lost', reason: 'the engine was shut down' }) : send();

  return {
    health: () =>
      toVoid(
        outcome(
          unlessShutDown(() => ping(threads)),
          unavailable,
        ),
      ),
    negotiate: (session, sdp, report) =>
      outcome(
        unlessShutDown(() => {
          const thread = threads.assign(session);
          threads.listen(session, report);
          return thread.send({ kind: 'negotiate', session, sdp, mediaStart: threads.mediaStart(session) });
        }),
        (reason): InvalidSdp => ({ _tag: 'InvalidSdp', reason }),
      ),
    addCandidate: (session, { candidate, sdp_mid: mid, sdp_m_line_index: line }) =>
      toVoid(
        outcome(
          unlessShutDown(() => threads.assign(session).send({ kind: 'candidate', session, candidate, mid, line })),
          (reason): InvalidIceCandidate => ({ _tag: 'InvalidIceCandidate', reason }),
        ),
      ),
    close: (session) =>
      toVoid(
        outcome(
          unlessShutDown(() => close(threads, session)),
          unavailable,
        ),
      ),
    shutDown: async () => {
      isShutDown = true;
      await Promise.all(threads.all().map((thread) => thread.stop()));
    },
  };
};
