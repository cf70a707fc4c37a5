import { setTimeout } from 'node:timers/promises';
import type {
  EventStoreDBClient,
  PersistentSubscriptionToAll as Subscription,
  PersistentSubscriptionToAllResolvedEvent as Event,
} from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

interface Options {
  readonly bufferSize?: number;
  /** How to answer an event with this number; by default it is acknowledged. */
  readonly answer?: (subscription: Subscription, event: Event, n: number) => Promise<void>;
}

/** A consumer of a persistent subscription that records the events it receives. */
export interface Consumer {
  /** The numbers in the events' data, in the order of arrival. */
  readonly seen: ReadonlyArray<number>;
  /** Rejects with what ended the connection. */
  readonly ended: Promise<void>;
  readonly leave: () => Promise<void>;
}

const Numbered = t.type({ n: t.number });

/** Joins a group of the whole log. */
export const consume = (
  client: EventStoreDBClient,
  group: string,
  { bufferSize = 10, answer = (subscription, event) => subscription.ack(event) }: Options = {},
): Consumer => {
  const subscription = client.subscribeToPersistentSubscriptionToAll(group, { bufferSize });
  const seen: number[] = [];
  const receive = async (event: Event): Promise<void> => {
    const data = Numbered.decode(event.event?.data);
    if (E.isLeft(data)) throw new Error('an event without a number');
    seen.push(data.right.n);
    await answer(subscription, event, data.right.n);
  };
  const ended = (async () => {
    for await (const event of subscription) await receive(event);
  })();
  ended.catch(() => undefined);
  return { seen, ended, leave: () => subscription.unsubscribe() };
};

/** Waits until the condition holds; fails after ten seconds. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('the condition did not hold within 10 s');
    await setTimeout(5);
  }
};
