import { hashChain } from '../../../adapters/event-store/hash-chain.js';
import type { OpenedStore } from '../contracts/event-store-contract.js';

/** An opened store, wrapped in the hash chain. */
export const withHashes = (opened: OpenedStore, guards: boolean): OpenedStore => {
  const { store, reopen } = opened;
  return {
    ...opened,
    store: hashChain(store, { guards }),
    ...(reopen === undefined ? {} : { reopen: async () => withHashes(await reopen(), guards) }),
  };
};
