import * as E from 'fp-ts/lib/Either.js';
import { checkCandidate } from '../signalling/session-description.js';
import type { Peer } from './peer.js';

/** A candidate that a client sent after its offer, for the media section with this mid or index. */
export interface Trickled {
  readonly candidate: string;
  readonly mid: string | null;
  readonly line: number | null;
}

export interface TrickledCandidates {
  /** Adds a candidate to the peer, or keeps it for the first peer. Resolves to the reason if it is refused. */
  readonly add: (trickled: Trickled, peer: Peer | undefined) => Promise<string | undefined>;
  /** Adds the candidates that arrived before the peer existed. */
  readonly addEarlyTo: (peer: Peer) => Promise<void>;
}

/** Connectivity checks are sent to each candidate, so their number is limited. */
const maxCandidates = 64;

const addTo = async (peer: Peer, { mid, line }: Trickled, candidate: string): Promise<string | undefined> => {
  const isAdded = await peer.addCandidate(candidate, mid, line);
  return isAdded ? undefined : 'the offer has no such media section';
};

/** The trickled candidates of one session; they may arrive before its offer. */
export const trickledCandidates = (): TrickledCandidates => {
  let early: readonly { readonly trickled: Trickled; readonly line: string }[] = [];
  let count = 0;
  return {
    add: async (trickled, peer) => {
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
    addEarlyTo: async (peer) => {
      const kept = early;
      early = [];
      for (const { trickled, line } of kept) await addTo(peer, trickled, line);
    },
  };
};
