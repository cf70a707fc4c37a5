import { type Consumer, hasRoom, takeBack } from './consumer.js';
import type { Message } from './message.js';
import type { Choose } from './strategies.js';
import { type Waiting, createWaiting } from './waiting.js';

export type Verdict = 'park' | 'retry' | 'skip';

export interface DeliverySettings {
  readonly choose: Choose;
  /** Milliseconds; 0: without end. */
  readonly messageTimeout: number;
  readonly maxRetryCount: number;
  /** Called when a message is settled for good: answered, skipped or parked. */
  readonly onDone: (message: Message) => void;
  /** Resolves once the message is kept for later; rejects when it could not be. */
  readonly park: (message: Message, reason: string) => Promise<void>;
}

/** Brings messages to consumers and hears what they say of them. */
export interface Delivery {
  readonly waiting: Waiting;
  readonly consumers: () => ReadonlyArray<Consumer>;
  readonly connect: (consumer: Consumer) => void;
  /** What the consumer had without an answer goes to others. */
  readonly disconnect: (consumer: Consumer) => void;
  readonly dispatch: () => void;
  readonly ack: (consumer: Consumer, ids: ReadonlyArray<string>) => void;
  readonly nack: (consumer: Consumer, ids: ReadonlyArray<string>, verdict: Verdict, reason: string) => void;
}

const pauseBeforeParkingAgain = 1_000;

/** What is done with messages that come back. */
const createReturns = (settings: DeliverySettings, waiting: Waiting, dispatch: () => void) => {
  const { maxRetryCount, park, onDone } = settings;
  const parkUntilKept = (message: Message, reason: string): void => {
    const again = (): void => void setTimeout(() => parkUntilKept(message, reason), pauseBeforeParkingAgain).unref();
    void park(message, reason).then(() => onDone(message), again);
  };
  const retry = (message: Message, reason: string): void => {
    if (message.retries >= maxRetryCount) return parkUntilKept(message, reason);
    waiting.addAgain([{ ...message, retries: message.retries + 1 }]);
    dispatch();
  };
  return { parkUntilKept, retry };
};

export const createDelivery = (settings: DeliverySettings): Delivery => {
  const { choose, messageTimeout, onDone } = settings;
  const waiting = createWaiting();
  const consumers: Consumer[] = [];

  const deliver = (consumer: Consumer, message: Message): void => {
    const expire = (): void => {
      if (takeBack(consumer, message.id) !== null) retry(message, 'no answer in time');
    };
    const expiry = messageTimeout === 0 ? null : setTimeout(expire, messageTimeout).unref();
    consumer.inFlight.set(message.id, { message, expiry });
    consumer.send(message);
  };
  const dispatch = (): void => {
    while (consumers.some(hasRoom)) {
      let chosen: Consumer | null = null;
      const message = waiting.take((candidate) => (chosen = choose(consumers, candidate)) !== null);
      if (message === null || chosen === null) return;
      deliver(chosen, message);
    }
  };
  const { parkUntilKept, retry } = createReturns(settings, waiting, dispatch);
  const settle = (consumer: Consumer, ids: ReadonlyArray<string>, what: (message: Message) => void): void => {
    ids.flatMap((id) => takeBack(consumer, id) ?? []).forEach(what);
    dispatch();
  };
  return {
    waiting,
    consumers: () => consumers,
    connect: (consumer) => {
      consumers.push(consumer);
      dispatch();
    },
    disconnect: (consumer) => {
      const at = consumers.indexOf(consumer);
      if (at === -1) return;
      consumers.splice(at, 1);
      const ids = [...consumer.inFlight.keys()];
      waiting.addAgain(ids.flatMap((id) => takeBack(consumer, id) ?? []));
      dispatch();
    },
    dispatch,
    ack: (consumer, ids) => settle(consumer, ids, onDone),
    nack: (consumer, ids, verdict, reason) =>
      settle(consumer, ids, (message) => {
        if (verdict === 'park') parkUntilKept(message, reason);
        else if (verdict === 'skip') onDone(message);
        else retry(message, reason);
      }),
  };
};
