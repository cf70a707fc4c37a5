import * as E from 'fp-ts/lib/Either.js';
import type { EngineReport, MediaState } from '../../../../application/ports/realtime-engine.js';
import type { OpusDecoders } from '../audio/opus-decoders.js';
import type { PeerOptions } from '../engine-options.js';
import { checkOffer, isSameConnection, type Offer } from '../signalling/check-offer.js';
import { type MediaAnalysis, mediaAnalysis } from './media-analysis.js';
import { type Peer, peer } from './peer.js';
import { TooLate, inTime } from '../../../runtime/deadline.js';
import { type Trickled, trickledCandidates } from './trickled-candidates.js';

export interface MediaSession {
  /** The answer to an offer, or why there is none, in words. Rejects when it takes too long. */
  readonly negotiate: (sdp: string) => Promise<E.Either<string, string>>;
  /** Why a candidate is refused, in words. */
  readonly addCandidate: (trickled: Trickled) => Promise<string | undefined>;
  /** Lets time pass; to be called several times a second. */
  readonly pass: (now: number) => void;
  readonly close: () => Promise<void>;
}

/** Of the time in which a thread must answer, so much may pass before its answer to an offer is there. */
const shareOfTime = 0.8;

/** Nothing heard for so long, in milliseconds, is a lost connection; browsers say something every 2.5 s. */
const longestSilence = 8_000;

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Tells of each change of the media's state. */
const toldOnce = (changed: (state: MediaState) => void) => {
  let state: MediaState | undefined;
  return {
    now: () => state,
    tell: (next: MediaState): void => {
      if (next === state) return;
      state = next;
      changed(next);
    },
  };
};

/** The peer connection of a session, of which there is one at a time, and whether media flows over it. */
const currentPeer = (options: PeerOptions, analysis: MediaAnalysis, report: (report: EngineReport) => void) => {
  let current: Peer | undefined;
  const { now: mediaState, tell } = toldOnce((state) => report({ kind: 'media', state }));
  /** A connection counts as connected once media has come over it: from then on the session is charged. */
  const open = (offer: Offer): Peer => {
    let [isConnected, hasMedia] = [false, false];
    const next: Peer = peer(offer, options, {
      packet: (packet, codec) => {
        hasMedia = true;
        if (current !== next) return;
        if (isConnected) tell('connected');
        analysis.take(packet, codec);
      },
      state: (now) => {
        isConnected = now === 'connected';
        if (current === next && (hasMedia || !isConnected)) tell(now);
      },
    });
    return next;
  };
  /** Lets a peer take the place of the former. */
  const adopt = async (next: Peer | undefined): Promise<void> => {
    const former = current;
    current = next;
    if (former !== next) await former?.close();
  };
  return {
    now: () => current,
    adopt,
    close: () => adopt(undefined),
    /** Ends a peer that cannot go on, the current one or one that was to be. */
    giveUp: async (given: Peer): Promise<void> => {
      if (current === given) {
        current = undefined;
        tell('failed');
      }
      await given.close();
    },
    /** The peer that an offer is of: a connection that lives goes on, another takes its place. */
    of: (offer: Offer): Peer =>
      current !== undefined && mediaState() !== 'failed' && isSameConnection(current.client, offer.client)
        ? current
        : open(offer),
    pass: (now: number): void => {
      if (current === undefined) return;
      const lost = now - current.heardAt() > longestSilence;
      if (mediaState() === 'connected' && lost) tell('disconnected');
      else if (mediaState() === 'disconnected' && !lost) tell('connected');
      if (mediaState() === 'connected') analysis.pass(now);
    },
  };
};

/** One session's connections and what its media is like. */
export const mediaSession = (
  options: PeerOptions,
  decoders: OpusDecoders,
  report: (report: EngineReport) => void,
): MediaSession => {
  const analysis = mediaAnalysis(decoders, report);
  const peers = currentPeer(options, analysis, report);
  const candidates = trickledCandidates();
  return {
    negotiate: async (sdp) => {
      const offer = checkOffer(sdp);
      if (E.isLeft(offer)) return offer;
      const to = peers.of(offer.right);
      try {
        if (offer.right.hasAudio) await analysis.expectAudio();
        const answer = await inTime(to.answer(offer.right), shareOfTime * options.answerWithin);
        await peers.adopt(to);
        await candidates.handOver(to);
        return E.right(answer);
      } catch (error) {
        if (error instanceof TooLate) {
          await peers.giveUp(to);
          throw error;
        }
        if (to !== peers.now()) await to.close();
        return E.left(`it cannot be answered: ${wordsOf(error)}`);
      }
    },
    addCandidate: (trickled) => candidates.take(trickled, peers.now()),
    pass: peers.pass,
    close: () => {
      analysis.close();
      return peers.close();
    },
  };
};
