import { sha256 } from './event-hash.js';

/** The end of a stream. */
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
 * The root of the Merkle tree over stream heads, in the order of the streams' names: one hash that any change, loss or
 * addition of a head changes. Leaves and nodes are told apart; a node without a partner moves up as it is.
 */
export const merkleRoot = (heads: ReadonlyArray<StreamHead>): string => {
  let level: ReadonlyArray<string> = heads.toSorted(byName).map(leafOf);
  while (level.length > 1) level = pairs(level);
  return level[0] ?? sha256('nothing');
};
