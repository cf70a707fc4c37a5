import type { ServiceError } from '@grpc/grpc-js';
import type { EventRow } from '../../../adapters/event-store/sqlite/read.js';

/** An event to be delivered to one of a group's consumers. */
export interface Message {
  readonly row: EventRow;
  readonly retries: number;
}

/** One connection to a group. */
export interface Consumer {
  /** The maximum number of unacknowledged messages. */
  readonly capacity: number;
  readonly send: (message: Message) => void;
  /** Ends the connection. */
  readonly drop: (error: ServiceError) => void;
}

interface InFlight {
  readonly message: Message;
  readonly expiry: NodeJS.Timeout;
}

/** Delivers messages to consumers in turn. A message that is not acknowledged goes to the next one. */
export interface Delivery {
  readonly consumers: () => ReadonlyArray<Consumer>;
  /** The number of messages that no consumer has. */
  readonly waiting: () => number;
  readonly add: (row: EventRow) => void;
  readonly connect: (consumer: Consumer) => void;
  /** The consumer's unacknowledged messages go to others. */
  readonly disconnect: (consumer: Consumer) => void;
  readonly acknowledge: (consumer: Consumer, ids: ReadonlyArray<string>) => void;
  /** Delivers these messages again. */
  readonly retry: (consumer: Consumer, ids: ReadonlyArray<string>) => void;
}

export const createDelivery = (messageTimeout: number, onDone: (row: EventRow) => void): Delivery => {
  const again: Message[] = [];
  const fresh: Message[] = [];
  const inFlight = new Map<Consumer, Map<string, InFlight>>();
  const order: Consumer[] = [];
  const of = (consumer: Consumer) => inFlight.get(consumer) ?? new Map<string, InFlight>();

  const takeBack = (consumer: Consumer, ids: ReadonlyArray<string>): ReadonlyArray<Message> =>
    ids.flatMap((id) => {
      const known = of(consumer).get(id);
      of(consumer).delete(id);
      clearTimeout(known?.expiry);
      return known?.message ?? [];
    });
  const returned = (messages: ReadonlyArray<Message>): void => {
    again.push(...messages.map(({ row, retries }) => ({ row, retries: retries + 1 })));
    dispatch();
  };
  const dispatch = (): void => {
    for (;;) {
      const consumer = order.find((one) => of(one).size < one.capacity);
      const message = consumer === undefined ? undefined : (again.shift() ?? fresh.shift());
      if (consumer === undefined || message === undefined) return;
      order.push(...order.splice(order.indexOf(consumer), 1));
      const [, , , id] = message.row;
      const expiry = setTimeout(() => returned(takeBack(consumer, [id])), messageTimeout).unref();
      of(consumer).set(id, { message, expiry });
      consumer.send(message);
    }
  };
  return {
    consumers: () => order,
    waiting: () => again.length + fresh.length,
    add: (row) => {
      fresh.push({ row, retries: 0 });
      dispatch();
    },
    connect: (consumer) => {
      inFlight.set(consumer, new Map());
      order.push(consumer);
      dispatch();
    },
    disconnect: (consumer) => {
      const at = order.indexOf(consumer);
      if (at === -1) return;
      order.splice(at, 1);
      const left = takeBack(consumer, [...of(consumer).keys()]);
      inFlight.delete(consumer);
      returned(left);
    },
    acknowledge: (consumer, ids) => {
      takeBack(consumer, ids).forEach(({ row }) => onDone(row));
      dispatch();
    },
    retry: (consumer, ids) => returned(takeBack(consumer, ids)),
  };
};
