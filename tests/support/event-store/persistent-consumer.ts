import { setTimeout } from 'node:timers/promises';
import type {
  EventStoreDBClient,
  PersistentSubscriptionToAll,
  PersistentSubscriptionToAllResolvedEvent,
  PersistentSubscriptionToStream,
  PersistentSubscriptionToStreamResolvedEvent,
} from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

type Subscription = PersistentSubscriptionToAll | PersistentSubscriptionToStream;
type Event = PersistentSubscriptionToAllResolvedEvent | PersistentSubscriptionToStreamResolvedEvent;

interface Options {
  readonly bufferSize?: number;
  /** What to say of an event with such a number; absent: yes. */
  readonly answer?: (subscription: Subscription, event: Event, n: number) => Promise<void>;
}

/** A consumer of a group that writes down what it gets. */
export interface Consumer {
  /** The events' own numbers, as they came. */
  readonly seen: ReadonlyArray<number>;
  readonly streams: ReadonlyArray<string>;
  /** Resolves once the group has taken it in. */
  readonly joined: Promise<void>;
  /** Rejects with what ended the connection. */
  readonly ended: Promise<void>;
  readonly leave: () => Promise<void>;
}

const Numbered = t.type({ n: t.number });

/** Joins a group of a stream, or of all streams when the stream is null. */
export const consume = (
  client: EventStoreDBClient,
  stream: string | null,
  group: string,
  { bufferSize = 10, answer = (subscription, event) => subscription.ack(event) }: Options = {},
): Consumer => {
  const subscription: PersistentSubscriptionToAll | PersistentSubscriptionToStream =
    stream === null
      ? client.subscribeToPersistentSubscriptionToAll(group, { bufferSize })
      : client.subscribeToPersistentSubscriptionToStream(stream, group, { bufferSize });
  const joined = new Promise<void>((resolve) => void subscription.once('confirmation', () => resolve()));
  const seen: number[] = [];
  const streams: string[] = [];
  const hear = async (event: Event): Promise<void> => {
    const data = Numbered.decode(event.event?.data);
    if (E.isLeft(data)) throw new Error('an event without a number');
    seen.push(data.right.n);
    streams.push(event.event?.streamId ?? '');
    await answer(subscription, event, data.right.n);
  };
  const ended = (async () => {
    for await (const event of subscription) await hear(event);
  })();
  ended.catch(() => undefined);
  return { seen, streams, joined, ended, leave: () => subscription.unsubscribe() };
};

/** Waits until something is so; fails after ten seconds. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  const end = performance.now() + 10_000;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it never came about');
    await setTimeout(5);
  }
};
