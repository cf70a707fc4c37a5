import type { SealedLog } from '../../domain/audit-seal/contract.js';
import { type Fault, faultAt, faultOfLog } from './fault.js';
import { type LoggedEvent, sha256 } from './event-hash.js';
import { shownPosition } from './shown-event.js';

/** The last event of a stream. */
export interface StreamHead {
  readonly stream: string;
  readonly revision: number;
  readonly hash: string;
}

const leafOf = ({ stream, revision, hash }: StreamHead): string =>
  sha256(`leaf ${JSON.stringify([stream, revision, hash])}`);

const pairs = (hashes: ReadonlyArray<string>): ReadonlyArray<string> =>
  hashes.flatMap((hash, index) => {
    if (index % 2 === 1) return [];
    const right = hashes[index + 1];
    return [right === undefined ? hash : sha256(`node ${hash}${right}`)];
  });

const byName = (one: StreamHead, other: StreamHead): number => (one.stream < other.stream ? -1 : 1);

/**
 * The root of the Merkle tree over stream heads, ordered by stream name. It changes with any change, loss or addition
 * of a head. Leaves and nodes are hashed differently; a node without a partner is passed up unchanged.
 */
export const merkleRoot = (heads: ReadonlyArray<StreamHead>): string => {
  let level: ReadonlyArray<string> = heads.toSorted(byName).map(leafOf);
  while (level.length > 1) level = pairs(level);
  return level[0] ?? sha256('nothing');
};

/** A seal to compare with the log, and its origin. */
export interface SealToCheck {
  readonly sealed: SealedLog;
  readonly name: string;
}

interface Milestone {
  readonly seal: SealToCheck;
  readonly hash: string;
  /** The first event that the milestone covers. */
  readonly since: number;
}

const milestonesOf = (seal: SealToCheck): ReadonlyArray<readonly [number, Milestone]> => {
  const { events, order_hash, blocks } = seal.sealed;
  const whole = blocks.hashes.map(
    (hash, index) => [(index + 1) * blocks.size, { seal, hash, since: index * blocks.size + 1 }] as const,
  );
  const since = blocks.hashes.length * blocks.size + 1;
  return [...whole, [events, { seal, hash: order_hash, since: Math.min(since, events) }]];
};

const where = (since: number, count: number): string =>
  since >= count ? 'this event is not the one that was sealed' : `of events ${since} to ${count}, one at least differs`;

/**
 * Compares seals with the log, event by event. `heads` returns the current heads of all streams; it is called only for the
 * newest seal.
 */
export const createSealChecks = (seals: ReadonlyArray<SealToCheck>, heads: () => ReadonlyArray<StreamHead>) => {
  const newest = Math.max(0, ...seals.map(({ sealed }) => sealed.events));
  const milestones = new Map<number, Milestone[]>();
  const refuted = new Set<SealToCheck>();
  for (const seal of seals)
    for (const [count, milestone] of milestonesOf(seal))
      milestones.set(count, [...(milestones.get(count) ?? []), milestone]);

  const rootOf = (event: LoggedEvent, { seal }: Milestone, count: number): ReadonlyArray<Fault> => {
    const { sealed, name } = seal;
    if (count !== newest || sealed.events !== newest || refuted.has(seal)) return [];
    const ends = heads();
    return ends.length === sealed.streams && merkleRoot(ends) === sealed.merkle_root
      ? []
      : [faultAt(event, 'seal_mismatch', `${name}: the heads of the streams are not those that were sealed`)];
  };
  return {
    take: (event: LoggedEvent, count: number, hash: string): ReadonlyArray<Fault> =>
      (milestones.get(count) ?? []).flatMap((milestone) => {
        const { seal, since } = milestone;
        if (refuted.has(seal)) return [];
        if (milestone.hash === hash) return rootOf(event, milestone, count);
        refuted.add(seal);
        return [faultAt(event, 'seal_mismatch', `${seal.name}: ${where(since, count)}`)];
      }),
    /** Faults found at the end of the log. */
    end: (count: number): ReadonlyArray<Fault> =>
      seals.flatMap(({ sealed, name }) =>
        sealed.events <= count
          ? []
          : faultOfLog(
              'cut_below_seal',
              `${name}: ${sealed.events} events were sealed, up to position ${shownPosition(sealed.position)}; the log holds ${count}`,
            ),
      ),
  };
};
