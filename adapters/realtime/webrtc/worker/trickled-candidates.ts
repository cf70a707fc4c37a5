import * as E from 'fp-ts/lib/Either.js';
import { checkCandidate } from '../signalling/check-candidate.js';
import type { Peer } from './peer.js';

/** A client's candidate for a section of its offer, by its mid or its place. */
export interface Trickled {
  readonly candidate: string;
  readonly mid: string | null;
  readonly line: number | null;
}

export interface TrickledCandidates {
  /** Takes a candidate for a peer, or for the one to come; why it is refused, in words. */
  readonly take: (trickled: Trickled, peer: Peer | undefined) => Promise<string | undefined>;
  /** Gives a peer what came before it. */
  readonly handOver: (peer: Peer) => Promise<void>;
}

/** Each is an address that checks are sent to. */
const mostCandidates = 64;

const hand = async (to: Peer, { mid, line }: Trickled, candidate: string): Promise<string | undefined> => {
  const known = await to.addCandidate(candidate, mid, line);
  return known ? undefined : 'the offer has no such media section';
};

/** The candidates of one session, which may come before its offer. */
export const trickledCandidates = (): TrickledCandidates => {
  let early: readonly { readonly trickled: Trickled; readonly line: string }[] = [];
  let taken = 0;
  return {
    take: async (trickled, peer) => {
      /* An empty one ends the candidates; more may come with the next offer, so nothing ends here. */
      if (trickled.candidate === '') return undefined;
      const checked = checkCandidate(trickled.candidate);
      if (E.isLeft(checked)) return checked.left;
      taken += 1;
      if (taken > mostCandidates) return `there have been ${mostCandidates} candidates already`;
      const { line, reachable } = checked.right;
      if (!reachable) return undefined;
      if (peer !== undefined) return hand(peer, trickled, line);
      early = [...early, { trickled, line }];
      return undefined;
    },
    handOver: async (peer) => {
      const waiting = early;
      early = [];
      for (const { trickled, line } of waiting) await hand(peer, trickled, line);
    },
  };
};
