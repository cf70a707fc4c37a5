import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import type { PeerOptions } from './engine-options.js';
import { type MediaThread, startMediaThread } from './media-thread-handle.js';
import { shareOf, sharesOf } from './port-shares.js';

type Listener = (report: EngineReport) => void;

interface Thread {
  /** Its number among the threads; one that takes another's place has the same. */
  readonly at: number;
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

/**
 * A pool of media threads, started as they are needed; one that dies fails its sessions and is replaced. Each has UDP
 * ports of its own: the library looks for a free one before it takes it, and two threads would take the same.
 */
export const mediaThreads = (wanted: number, options: PeerOptions, fault: (reason: string) => void): MediaThreads => {
  const threads = new Set<Thread>();
  const { portRange } = options;
  const most = portRange === undefined ? wanted : sharesOf(portRange, wanted);
  const optionsOf = (at: number): PeerOptions =>
    portRange === undefined ? options : { ...options, portRange: shareOf(portRange, at, most) };
  const start = (): Thread => {
    const sessions = new Map<string, Listener>();
    const taken = new Set([...threads].map(({ at }) => at));
    const at = Array.from({ length: most }, (_, n) => n).find((n) => !taken.has(n)) ?? 0;
    const thread = startMediaThread(optionsOf(at), {
      report: (session, report) => sessions.get(session)?.(report),
      fault,
      died: (reason) => {
        threads.delete(started);
        fault(reason);
        for (const listener of sessions.values()) listener({ kind: 'media', state: 'failed' });
        sessions.clear();
      },
    });
    const started: Thread = { at, thread, sessions };
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
