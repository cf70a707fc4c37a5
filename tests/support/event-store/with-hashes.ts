import { hashChain } from '../../../adapters/event-store/hash-chain.js';
import type { OpenedStore } from '../contracts/event-store-contract.js';

/** An opened store with the hash chain before it. */
export const withHashes = (opened: OpenedStore, guards: boolean): OpenedStore => {
  const { store, reopen } = opened;
  return {
    ...opened,
    store: hashChain(store, { guards }),
    ...(reopen === undefined ? {} : { reopen: async () => withHashes(await reopen(), guards) }),
  };
};
