import { type Block, type Blocks, blockSize, blocksOfMemory } from './blocks.js';

/** Memory for the bodies of requests, each of which holds what it has taken until its request is answered. */
export interface ByteBudget {
  /** A body of nothing yet, on behalf of an account. */
  readonly open: (account: string) => Claim;
}

export interface Claim {
  /** Whether the body may be so many bytes long: at most `smallBody`. */
  readonly growTo: (bytes: number) => boolean;
  /** The next block for a body that has become larger than that; null where too much is held already. */
  readonly nextBlock: () => Block | null;
  /** Gives everything back: its blocks are another's from now on. Again is nothing. */
  readonly release: () => void;
}

/** What there is for all bodies of a size, and how much of it one account may hold, in bytes. */
interface Share {
  readonly total: number;
  readonly each: number;
}

interface Tank {
  /** Takes so many bytes more, or gives them back; false, and nothing taken, where there are too few. */
  readonly take: (account: string, bytes: number) => boolean;
}

const tank = ({ total, each }: Share): Tank => {
  const held = new Map<string, number>();
  let all = 0;
  return {
    take: (account, bytes) => {
      const own = (held.get(account) ?? 0) + bytes;
      if (bytes > 0 && (all + bytes > total || own > each)) return false;
      all += bytes;
      if (own > 0) held.set(account, own);
      else held.delete(account);
      return true;
    },
  };
};

/** Up to this size a body is small. */
export const smallBody = 64 * 1024;

const mebibyte = 1024 * 1024;

/** Room for one of the largest bodies, and for others beside it. */
const usual = {
  small: { total: 64 * mebibyte, each: 32 * mebibyte },
  large: { total: 128 * mebibyte, each: 100 * mebibyte },
} as const;

const claimOf = (account: string, small: Tank, large: Tank, blocks: Blocks): Claim => {
  const taken: Block[] = [];
  let held = 0;
  const giveUpSmall = (): void => {
    small.take(account, -held);
    held = 0;
  };
  return {
    growTo: (bytes) => {
      const grown = small.take(account, bytes - held);
      if (grown) held = bytes;
      return grown;
    },
    nextBlock: () => {
      giveUpSmall();
      if (!large.take(account, blockSize)) return null;
      const block = blocks.take();
      taken.push(block);
      return block;
    },
    release: () => {
      giveUpSmall();
      large.take(account, -taken.length * blockSize);
      blocks.give(taken.splice(0));
    },
  };
};

/**
 * A budget for small bodies and one for large ones, so that these leave room for those. Bytes count when they have
 * arrived: who announces a large body and sends nothing holds nothing.
 */
export const byteBudget = (shares: { readonly small: Share; readonly large: Share } = usual): ByteBudget => {
  const [small, large, blocks] = [tank(shares.small), tank(shares.large), blocksOfMemory()];
  return { open: (account) => claimOf(account, small, large, blocks) };
};
