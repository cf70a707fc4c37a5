import * as E from 'fp-ts/lib/Either.js';
import type { EngineReport } from '../../../../application/ports/realtime-engine.js';
import type { MediaState } from '../../../../domain/realtime-session/contract.js';
import { audioTrack, frameCounter, type RtpMedia } from '../media-tracks.js';
import type { OpusDecoders } from '../opus-decoders.js';
import { checkCandidate, checkOffer, isSameConnection, type Offer } from '../signalling/session-description.js';
import type { PeerOptions, Trickled } from '../media-thread-handle.js';
import { type Peer, peer } from './peer.js';
import { TooLate, inTime } from '../../../runtime/clock.js';

/** Analyses the packets of one session: voice activity, and how many video frames arrive. */
const mediaAnalysis = (decoders: OpusDecoders, report: (report: EngineReport) => void) => {
  let mediaStart: number | undefined;
  let closed = false;
  let decoder: Awaited<ReturnType<OpusDecoders['borrow']>> | undefined;
  let audio: ReturnType<typeof audioTrack> | undefined;
  const start = (): number => mediaStart ?? 0;
  const video = frameCounter(start, (window) => report({ kind: 'video_stats', ...window }));

  return {
    /** Prepares for audio; audio packets that arrive before it resolves are ignored. */
    expectAudio: async (): Promise<void> => {
      if (audio !== undefined || closed) return;
      const borrowed = await decoders.borrow();
      if (closed || decoder !== undefined) {
        borrowed.giveBack();
        return;
      }
      decoder = borrowed;
      audio = audioTrack(borrowed.decode, start, (window) => report({ kind: 'voice_activity', ...window }));
    },
    /** Sets when the session's media began, unless they have begun here. */
    startFrom: (at: number): void => {
      mediaStart ??= at;
    },
    /** Adds a packet. `codec`: in lower case, such as `audio/opus`. */
    add: (packet: RtpMedia, codec: string): void => {
      if (closed) return;
      mediaStart ??= packet.arrivedAt;
      if (codec === 'audio/opus') audio?.add(packet);
      else if (codec.startsWith('video/')) video.add(packet, codec);
    },
    /** Tells the analysis the time; to be called several times a second while the peer is connected. */
    advance: (now: number): void => {
      if (closed) return;
      audio?.advance(now);
      video.advance(now);
    },
    close: (): void => {
      closed = true;
      decoder?.giveBack();
      decoder = undefined;
    },
  };
};

/** The share of the thread's answer timeout that the answer to an offer may take. */
const negotiationShare = 0.8;

/** Without any packet for this long the connection counts as lost; browsers send something every 2.5 s. */
const maxSilenceMs = 8_000;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The media state of a session, which reports each change. */
const mediaStateOf = (report: (report: EngineReport) => void) => {
  let current: MediaState | undefined;
  return {
    get: () => current,
    set: (state: MediaState): void => {
      if (state === current) return;
      current = state;
      report({ kind: 'media', state });
    },
  };
};

/** The session's peer connection (one at a time) and its media state. */
const currentPeer = (
  options: PeerOptions,
  analysis: ReturnType<typeof mediaAnalysis>,
  report: (report: EngineReport) => void,
) => {
  let current: Peer | undefined;
  const media = mediaStateOf(report);
  /** A connection counts as connected when the first media arrives, because the session is charged from then on. */
  const open = (offer: Offer): Peer => {
    let [isConnected, hasMedia] = [false, false];
    const opened: Peer = peer(offer, options, {
      packet: (packet, codec) => {
        hasMedia = true;
        if (current !== opened) return;
        if (isConnected) media.set('connected');
        // What a failed connection still brings is neither charged nor analysed.
        if (media.get() !== 'failed') analysis.add(packet, codec);
      },
      state: (state) => {
        isConnected = state === 'connected';
        if (current === opened && (hasMedia || !isConnected)) media.set(state);
      },
    });
    return opened;
  };
  const replace = async (next: Peer | undefined): Promise<void> => {
    const previous = current;
    current = next;
    if (previous !== next) await previous?.close();
  };
  return {
    get: () => current,
    /** Makes a peer the current one and closes the previous one. */
    replace,
    close: () => replace(undefined),
    /** Closes a peer that failed, whether or not it had become the current one. */
    fail: async (failed: Peer): Promise<void> => {
      if (current === failed) {
        current = undefined;
        media.set('failed');
      }
      await failed.close();
    },
    /** The peer for an offer: the current one if the offer renegotiates it, a new one otherwise. */
    forOffer: (offer: Offer): Peer =>
      current !== undefined && media.get() !== 'failed' && isSameConnection(current.client, offer.client)
        ? current
        : open(offer),
    advance: (now: number): void => {
      if (current === undefined) return;
      const isSilent = now - current.lastPacketAt() > maxSilenceMs;
      if (media.get() === 'connected' && isSilent) media.set('disconnected');
      else if (media.get() === 'disconnected' && !isSilent) media.set('connected');
      if (media.get() === 'connected') analysis.advance(now);
    },
  };
};

/** Connectivity checks are sent to each candidate, so their number is limited. */
const maxCandidates = 64;

const addTo = async (peer: Peer, { mid, line }: Trickled, candidate: string): Promise<string | undefined> => {
  const isAdded = await peer.addCandidate(candidate, mid, line);
  return isAdded ? undefined : 'the offer has no such media section';
};

/** The trickled candidates of one session; they may arrive before its offer. */
const trickledCandidates = () => {
  let early: readonly { readonly trickled: Trickled; readonly line: string }[] = [];
  let count = 0;
  return {
    /** Adds a candidate to the peer, or keeps it for the first peer. Resolves to the reason if it is refused. */
    add: async (trickled: Trickled, peer: Peer | undefined): Promise<string | undefined> => {
      /* An empty candidate marks the end of candidates. It is ignored: more may come with the next offer. */
      if (trickled.candidate === '') return undefined;
      const checked = checkCandidate(trickled.candidate);
      if (E.isLeft(checked)) return checked.left;
      count += 1;
      if (count > maxCandidates) return `the session has had ${maxCandidates} candidates already`;
      const { line, reachable } = checked.right;
      if (!reachable) return undefined;
      if (peer !== undefined) return addTo(peer, trickled, line);
      early = [...early, { trickled, line }];
      return undefined;
    },
    /** Adds the candidates that arrived before the peer existed. */
    addEarlyTo: async (peer: Peer): Promise<void> => {
      const kept = early;
      early = [];
      for (const { trickled, line } of kept) await addTo(peer, trickled, line);
    },
  };
};

/** One session: its peer connection and the analysis of its media. */
export const mediaSession = (options: PeerOptions, decoders: OpusDecoders, report: (report: EngineReport) => void) => {
  const analysis = mediaAnalysis(decoders, report);
  const peers = currentPeer(options, analysis, report);
  const candidates = trickledCandidates();
  return {
    /**
     * Resolves to the answer to an offer, or to the reason why it is refused. Rejects when it takes too long. `mediaStart`:
     * when the first media came on a thread that has ended; null: none came there.
     */
    negotiate: async (sdp: string, mediaStart: number | null): Promise<E.Either<string, string>> => {
      const offer = checkOffer(sdp);
      if (E.isLeft(offer)) return offer;
      if (mediaStart !== null) analysis.startFrom(mediaStart);
      const chosen = peers.forOffer(offer.right);
      try {
        if (offer.right.hasAudio) await analysis.expectAudio();
        const answer = await inTime(chosen.answer(offer.right), negotiationShare * options.answerTimeoutMs);
        await peers.replace(chosen);
        await candidates.addEarlyTo(chosen);
        return E.right(answer);
      } catch (error) {
        if (error instanceof TooLate) {
          await peers.fail(chosen);
          throw error;
        }
        if (chosen !== peers.get()) await chosen.close();
        return E.left(`it cannot be answered: ${messageOf(error)}`);
      }
    },
    /** Resolves to the reason why a candidate is refused; undefined if it is accepted. */
    addCandidate: (trickled: Trickled) => candidates.add(trickled, peers.get()),
    /** Tells the session the time; to be called several times a second. */
    advance: peers.advance,
    close: () => {
      analysis.close();
      return peers.close();
    },
  };
};

export type MediaSession = ReturnType<typeof mediaSession>;
