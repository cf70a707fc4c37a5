import type { ServiceError } from '@grpc/grpc-js';
import type { ResolvedRow } from '../wire/read-messages.js';

/** An event to be delivered to one of a group's consumers. */
export interface Message {
  /** The id that the consumer acknowledges: that of the event, or of its link. */
  readonly id: string;
  readonly resolved: ResolvedRow;
  readonly retries: number;
  /** Its place in the sequence that the group reads. */
  readonly place: number;
}

/** The row in the stream that was read: the link if there is one. */
export const originalOf = ({ resolved: { event, link } }: Message) => link ?? event;

interface Delivery {
  readonly message: Message;
  /** Null if the group has no message timeout. */
  readonly expiry: NodeJS.Timeout | null;
}

/** One connection to a group. */
export interface Consumer {
  /** The maximum number of unacknowledged messages. */
  readonly capacity: number;
  readonly inFlight: Map<string, Delivery>;
  readonly send: (message: Message) => void;
  /** Ends the connection. */
  readonly drop: (answer: ServiceError) => void;
}

export const hasRoom = ({ inFlight, capacity }: Consumer): boolean => inFlight.size < capacity;

/** Takes a message back from its consumer; null if it has none with this id. */
export const takeBack = ({ inFlight }: Consumer, id: string): Message | null => {
  const delivery = inFlight.get(id);
  if (delivery === undefined) return null;
  inFlight.delete(id);
  if (delivery.expiry !== null) clearTimeout(delivery.expiry);
  return delivery.message;
};
