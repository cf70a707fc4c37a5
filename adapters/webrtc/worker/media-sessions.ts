import type * as E from 'fp-ts/lib/Either.js';
import type { EngineReport } from '../../../application/ports/realtime-engine.js';
import type { OpusDecoders } from '../audio/opus-decoders.js';
import type { PeerOptions } from '../engine-options.js';
import { type MediaSession, mediaSession } from './media-session.js';
import type { Trickled } from './trickled-candidates.js';

export interface MediaSessions {
  readonly negotiate: (id: string, sdp: string) => Promise<E.Either<string, string>>;
  readonly addCandidate: (id: string, trickled: Trickled) => Promise<string | undefined>;
  readonly close: (id: string) => Promise<void>;
  readonly closeAll: () => Promise<void>;
}

/** How often sessions hear that time passes, in milliseconds. */
const tick = 50;

interface Entry {
  readonly session: MediaSession;
  /** What was asked before; one thing after the other. */
  last: Promise<unknown>;
}

/** The sessions of one thread. A session begins with the first that is asked for it. */
export const mediaSessions = (
  options: PeerOptions,
  decoders: OpusDecoders,
  report: (id: string, report: EngineReport) => void,
): MediaSessions => {
  const entries = new Map<string, Entry>();
  setInterval(() => {
    const now = performance.now();
    for (const { session } of entries.values()) session.pass(now);
  }, tick);

  const entryOf = (id: string): Entry => {
    const known = entries.get(id);
    if (known !== undefined) return known;
    const begun: Entry = {
      session: mediaSession(options, decoders, (told) => report(id, told)),
      last: Promise.resolve(),
    };
    entries.set(id, begun);
    return begun;
  };
  const inTurn = <A>(entry: Entry, work: () => Promise<A>): Promise<A> => {
    const outcome = entry.last.then(work);
    entry.last = outcome.catch(() => undefined);
    return outcome;
  };
  const close = async (id: string): Promise<void> => {
    const entry = entries.get(id);
    entries.delete(id);
    if (entry !== undefined) await inTurn(entry, entry.session.close);
  };

  return {
    negotiate: (id, sdp) => {
      const entry = entryOf(id);
      return inTurn(entry, () => entry.session.negotiate(sdp));
    },
    addCandidate: (id, trickled) => {
      const entry = entryOf(id);
      return inTurn(entry, () => entry.session.addCandidate(trickled));
    },
    close,
    closeAll: async () => {
      await Promise.all([...entries.keys()].map(close));
    },
  };
};
