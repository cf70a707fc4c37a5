import type { Checkpoints, EventStore } from '../../../application/ports/event-store.js';
import { appendingContract } from './event-store-appending.js';
import { checkpointsContract } from './event-store-checkpoints.js';
import { closingContract } from './event-store-closing.js';
import { readingContract } from './event-store-reading.js';
import { subscribingContract } from './event-store-subscribing.js';

export interface OpenedStore {
  readonly store: EventStore;
  readonly checkpoints?: Checkpoints;
  /** Closes the store and opens it again with its content. */
  readonly reopen?: () => Promise<OpenedStore>;
  readonly close: () => Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

/** What every implementation of the port must do. The log behind it may be shared and need not be empty. */
export const eventStoreContract = (open: OpenStore): void => {
  let opened: OpenedStore;
  before(async () => {
    opened = await open();
  });
  after(() => opened.close());
  const store = (): EventStore => opened.store;
  describe('append', () => appendingContract(store));
  describe('read', () => readingContract(store));
  describe('subscribe', () => subscribingContract(store));
  describe('checkpoints', () => checkpointsContract(() => opened.checkpoints));
  describe('close', () => closingContract(open));
};
