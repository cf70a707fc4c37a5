import type { ServiceError } from '@grpc/grpc-js';
import type { Message } from './message.js';

interface Delivery {
  readonly message: Message;
  /** Null when the group waits for an answer for ever. */
  readonly expiry: NodeJS.Timeout | null;
}

/** One connection to a group. */
export interface Consumer {
  /** How many messages may be without an answer at the same time. */
  readonly capacity: number;
  readonly inFlight: Map<string, Delivery>;
  readonly send: (message: Message) => void;
  /** Ends the connection. */
  readonly drop: (answer: ServiceError) => void;
}

export const hasRoom = ({ inFlight, capacity }: Consumer): boolean => inFlight.size < capacity;

/** Takes a message back from its consumer; null when it has none of that id. */
export const takeBack = ({ inFlight }: Consumer, id: string): Message | null => {
  const delivery = inFlight.get(id);
  if (delivery === undefined) return null;
  inFlight.delete(id);
  if (delivery.expiry !== null) clearTimeout(delivery.expiry);
  return delivery.message;
};
