/** Memory that worker threads can read without a copy. */
export type Block = Uint8Array<SharedArrayBuffer>;

export const blockSize = 256 * 1024;

/**
 * Memory for large bodies, used again and again: what is merely dropped stays taken until the garbage collector gets to
 * it, by when many other bodies may have come.
 */
export interface Blocks {
  readonly take: () => Block;
  readonly give: (blocks: ReadonlyArray<Block>) => void;
}

/** For so long unused memory is kept, in milliseconds. */
const keeping = 30_000;

export const blocksOfMemory = (): Blocks => {
  const free: Block[] = [];
  let clearing: NodeJS.Timeout | null = null;
  return {
    take: () => free.pop() ?? new Uint8Array(new SharedArrayBuffer(blockSize)),
    give: (blocks) => {
      if (blocks.length === 0) return;
      free.push(...blocks);
      if (clearing !== null) clearTimeout(clearing);
      clearing = setTimeout(() => free.splice(0), keeping).unref();
    },
  };
};
