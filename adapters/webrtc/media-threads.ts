import type { EngineReport } from '../../application/ports/realtime-engine.js';
import type { PeerOptions } from './engine-options.js';
import { type MediaThread, startMediaThread } from './media-thread-handle.js';

type Listener = (report: EngineReport) => void;

interface Thread {
  readonly thread: MediaThread;
  readonly sessions: Map<string, Listener>;
}

export interface MediaThreads {
  /** The thread of a session; a session without one gets that with the fewest. */
  readonly assign: (session: string) => MediaThread;
  readonly find: (session: string) => MediaThread | undefined;
  /** Who hears of a session from now on. */
  readonly listen: (session: string, listener: Listener) => void;
  /** Forgets a session: nobody hears of it any more. */
  readonly forget: (session: string) => void;
  readonly all: () => readonly MediaThread[];
  /** All; the first is started when there is none. */
  readonly atLeastOne: () => readonly MediaThread[];
}

const deaf: Listener = () => undefined;

/** A pool of media threads, started as they are needed; one that dies fails its sessions and is replaced. */
export const mediaThreads = (
  most: number,
  options: PeerOptions,
  answerWithin: number,
  fault: (reason: string) => void,
): MediaThreads => {
  const threads = new Set<Thread>();
  const start = (): Thread => {
    const sessions = new Map<string, Listener>();
    const thread = startMediaThread(options, answerWithin, {
      report: (session, report) => sessions.get(session)?.(report),
      fault,
      died: (reason) => {
        threads.delete(started);
        fault(reason);
        for (const listener of sessions.values()) listener({ kind: 'media', state: 'failed' });
        sessions.clear();
      },
    });
    const started: Thread = { thread, sessions };
    threads.add(started);
    return started;
  };
  const all = (): readonly MediaThread[] => [...threads].map(({ thread }) => thread);
  const holding = (session: string): Thread | undefined => [...threads].find(({ sessions }) => sessions.has(session));
  const leastBusy = (): Thread => {
    const idlest = [...threads].sort((a, b) => a.sessions.size - b.sessions.size)[0];
    return idlest === undefined || (idlest.sessions.size > 0 && threads.size < most) ? start() : idlest;
  };

  return {
    assign: (session) => {
      const { thread, sessions } = holding(session) ?? leastBusy();
      if (!sessions.has(session)) sessions.set(session, deaf);
      return thread;
    },
    find: (session) => holding(session)?.thread,
    listen: (session, listener) => {
      const sessions = holding(session)?.sessions;
      sessions?.set(session, listener);
    },
    forget: (session) => {
      holding(session)?.sessions.delete(session);
    },
    all,
    atLeastOne: () => (threads.size === 0 ? [start().thread] : all()),
  };
};
