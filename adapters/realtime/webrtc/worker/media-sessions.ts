import type * as E from 'fp-ts/lib/Either.js';
import { keyedQueue } from '../../../../application/keyed-queue.js';
import type { EngineReport } from '../../../../application/ports/realtime-engine.js';
import type { OpusDecoders } from '../audio/opus-decoders.js';
import type { PeerOptions } from '../thread-protocol.js';
import { type MediaSession, mediaSession } from './media-session.js';
import type { Trickled } from './trickled-candidates.js';

export interface MediaSessions {
  readonly negotiate: (id: string, sdp: string, mediaStart: number | null) => Promise<E.Either<string, string>>;
  readonly addCandidate: (id: string, trickled: Trickled) => Promise<string | undefined>;
  readonly close: (id: string) => Promise<void>;
  readonly closeAll: () => Promise<void>;
}

const tickMs = 50;

/** The sessions of one thread. A session is created by its first request; its requests run one after the other. */
export const mediaSessions = (
  options: PeerOptions,
  decoders: OpusDecoders,
  report: (id: string, report: EngineReport) => void,
): MediaSessions => {
  const sessions = new Map<string, MediaSession>();
  const queue = keyedQueue();
  setInterval(() => {
    const now = performance.now();
    for (const session of sessions.values()) session.advance(now);
  }, tickMs);

  const sessionOf = (id: string): MediaSession => {
    const existing = sessions.get(id);
    if (existing !== undefined) return existing;
    const created = mediaSession(options, decoders, (one) => report(id, one));
    sessions.set(id, created);
    return created;
  };
  const close = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    if (session !== undefined) await queue.run(id, session.close)();
  };

  return {
    negotiate: (id, sdp, mediaStart) => {
      const session = sessionOf(id);
      return queue.run(id, () => session.negotiate(sdp, mediaStart))();
    },
    addCandidate: (id, trickled) => {
      const session = sessionOf(id);
      return queue.run(id, () => session.addCandidate(trickled))();
    },
    close,
    closeAll: async () => {
      await Promise.all([...sessions.keys()].map(close));
    },
  };
};
