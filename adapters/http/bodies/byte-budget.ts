/** Memory that worker threads can read without copying. */
export type Block = Uint8Array<SharedArrayBuffer>;

export const blockSize = 256 * 1024;

/** How long unused blocks are kept, in milliseconds. */
const keepFreeMs = 30_000;

/** Reuses blocks: memory that is just dropped stays in use until the garbage collector runs, which may be too late. */
const blockPool = () => {
  const free: Block[] = [];
  let clearing: NodeJS.Timeout | null = null;
  return {
    take: (): Block => free.pop() ?? new Uint8Array(new SharedArrayBuffer(blockSize)),
    give: (blocks: ReadonlyArray<Block>): void => {
      if (blocks.length === 0) return;
      free.push(...blocks);
      if (clearing !== null) clearTimeout(clearing);
      clearing = setTimeout(() => free.splice(0), keepFreeMs).unref();
    },
  };
};

/** Limits the memory for request bodies. A request holds its memory until it is answered. */
export interface ByteBudget {
  /** Starts an empty claim for a request of an account. */
  readonly open: (account: string) => BudgetClaim;
}

export interface BudgetClaim {
  /** Claims memory for a small body of this length, at most `maxSmallBody`. False if the budget is exhausted. */
  readonly growTo: (bytes: number) => boolean;
  /** The next block of a larger body; null if the budget is exhausted. */
  readonly nextBlock: () => Block | null;
  /** Releases everything, blocks included. Further calls have no effect. */
  readonly release: () => void;
}

/** The limit for all bodies together, and for those of one account, in bytes. */
interface Limits {
  readonly total: number;
  readonly perAccount: number;
}

interface Counter {
  /** Adds bytes, or subtracts them if negative. False, without a change, if a limit would be exceeded. */
  readonly add: (account: string, bytes: number) => boolean;
}

const counter = ({ total, perAccount }: Limits): Counter => {
  const held = new Map<string, number>();
  let all = 0;
  return {
    add: (account, bytes) => {
      const own = (held.get(account) ?? 0) + bytes;
      if (bytes > 0 && (all + bytes > total || own > perAccount)) return false;
      all += bytes;
      if (own > 0) held.set(account, own);
      else held.delete(account);
      return true;
    },
  };
};

/** The maximum length of a small body, in bytes. */
export const maxSmallBody = 64 * 1024;

const mebibyte = 1024 * 1024;

/** Enough for one body of the maximum size, with others beside it. */
const defaultLimits = {
  small: { total: 64 * mebibyte, perAccount: 32 * mebibyte },
  large: { total: 128 * mebibyte, perAccount: 100 * mebibyte },
} as const;

const claimOf = (account: string, small: Counter, large: Counter, pool: ReturnType<typeof blockPool>): BudgetClaim => {
  const blocks: Block[] = [];
  let smallBytes = 0;
  const releaseSmall = (): void => {
    small.add(account, -smallBytes);
    smallBytes = 0;
  };
  return {
    growTo: (bytes) => {
      const isAllowed = small.add(account, bytes - smallBytes);
      if (isAllowed) smallBytes = bytes;
      return isAllowed;
    },
    nextBlock: () => {
      releaseSmall();
      if (!large.add(account, blockSize)) return null;
      const block = pool.take();
      blocks.push(block);
      return block;
    },
    release: () => {
      releaseSmall();
      large.add(account, -blocks.length * blockSize);
      pool.give(blocks.splice(0));
    },
  };
};

/**
 * A budget for small bodies and a separate one for large ones, so that large bodies leave room for small ones. Bytes count
 * once they have arrived: announcing a large body claims nothing.
 */
export const byteBudget = (limits: { readonly small: Limits; readonly large: Limits } = defaultLimits): ByteBudget => {
  const [small, large, pool] = [counter(limits.small), counter(limits.large), blockPool()];
  return { open: (account) => claimOf(account, small, large, pool) };
};
