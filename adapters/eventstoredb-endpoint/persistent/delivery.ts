import { type Message, type Consumer, hasRoom, takeBack } from './consumer.js';
import type { Choose } from './strategies.js';

/** Messages that no consumer has; those to be retried come first. */
export interface Waiting {
  readonly add: (message: Message) => void;
  readonly addAgain: (messages: ReadonlyArray<Message>) => void;
  /** Removes and returns the first message that is wanted. */
  readonly take: (wanted: (message: Message) => boolean) => Message | null;
  readonly size: () => number;
}

const takeFrom = (messages: Message[], wanted: (message: Message) => boolean): Message | null => {
  const at = messages.findIndex(wanted);
  const [taken] = at === -1 ? [] : messages.splice(at, 1);
  return taken ?? null;
};

const createWaiting = (): Waiting => {
  const again: Message[] = [];
  const read: Message[] = [];
  return {
    add: (message) => void read.push(message),
    addAgain: (messages) => void again.push(...messages),
    take: (wanted) => takeFrom(again, wanted) ?? takeFrom(read, wanted),
    size: () => again.length + read.length,
  };
};

type Verdict = 'park' | 'retry' | 'skip';

interface DeliverySettings {
  readonly choose: Choose;
  /** Milliseconds; 0 for no timeout. */
  readonly messageTimeout: number;
  readonly maxRetryCount: number;
  /** Called when a message is done: acknowledged, skipped or parked. */
  readonly onDone: (message: Message) => void;
  /** Resolves once the message is parked; rejects on failure. */
  readonly park: (message: Message, reason: string) => Promise<void>;
}

/** Delivers messages to consumers and handles their acknowledgements. */
export interface Delivery {
  readonly waiting: Waiting;
  readonly consumers: () => ReadonlyArray<Consumer>;
  readonly connect: (consumer: Consumer) => void;
  /** The consumer's unacknowledged messages go to others. */
  readonly disconnect: (consumer: Consumer) => void;
  readonly dispatch: () => void;
  readonly ack: (consumer: Consumer, ids: ReadonlyArray<string>) => void;
  readonly nack: (consumer: Consumer, ids: ReadonlyArray<string>, verdict: Verdict, reason: string) => void;
}

const parkRetryMs = 1_000;

/** Handles messages that come back. */
const createReturns = (settings: DeliverySettings, waiting: Waiting, dispatch: () => void) => {
  const { maxRetryCount, park, onDone } = settings;
  const parkWithRetry = (message: Message, reason: string): void => {
    const again = (): void => void setTimeout(() => parkWithRetry(message, reason), parkRetryMs).unref();
    void park(message, reason).then(() => onDone(message), again);
  };
  const retry = (message: Message, reason: string): void => {
    if (message.retries >= maxRetryCount) return parkWithRetry(message, reason);
    waiting.addAgain([{ ...message, retries: message.retries + 1 }]);
    dispatch();
  };
  return { parkWithRetry, retry };
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
  const { parkWithRetry, retry } = createReturns(settings, waiting, dispatch);
  const finish = (consumer: Consumer, ids: ReadonlyArray<string>, what: (message: Message) => void): void => {
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
    ack: (consumer, ids) => finish(consumer, ids, onDone),
    nack: (consumer, ids, verdict, reason) =>
      finish(consumer, ids, (message) => {
        if (verdict === 'park') parkWithRetry(message, reason);
        else if (verdict === 'skip') onDone(message);
        else retry(message, reason);
      }),
  };
};
