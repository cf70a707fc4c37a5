import { createHash } from 'node:crypto';
import { type Consumer, hasRoom, type Message, originalOf } from './consumer.js';

/** Chooses the consumer for a message; null if it must wait. */
export type Choose = (consumers: ReadonlyArray<Consumer>, message: Message) => Consumer | null;

const correlation = /"\$correlationId":"([^"]*)"/;

/** The next consumer with free capacity. */
const roundRobin = (): Choose => {
  let turn = 0;
  return (consumers) => {
    const order = consumers.map((_, index) => consumers[(turn + index) % consumers.length]);
    const chosen = order.findIndex((consumer) => consumer !== undefined && hasRoom(consumer));
    if (chosen === -1) return null;
    turn = (turn + chosen + 1) % consumers.length;
    return order[chosen] ?? null;
  };
};

/** The first consumer, as long as it has free capacity. */
const dispatchToSingle = (): Choose => (consumers) => consumers.find(hasRoom) ?? null;

/** Always the same consumer for the same key, as long as the consumers stay the same. */
const pinned =
  (keyOf: (message: Message) => string): (() => Choose) =>
  () =>
  (consumers, message) => {
    const bucket = createHash('sha256').update(keyOf(message)).digest().readUInt32BE(0);
    const chosen = consumers[bucket % Math.max(1, consumers.length)];
    return chosen !== undefined && hasRoom(chosen) ? chosen : null;
  };

const streamOf = ({ resolved: { event, link } }: Message): string => (event ?? link)?.[1] ?? '';

const correlationOf = (message: Message): string =>
  correlation.exec((message.resolved.event ?? originalOf(message))?.[6] ?? '')?.[1] ?? streamOf(message);

/** The consumer strategies by the names of the protocol. */
export const strategies: ReadonlyMap<string, () => Choose> = new Map([
  ['RoundRobin', roundRobin],
  ['DispatchToSingle', dispatchToSingle],
  ['Pinned', pinned(streamOf)],
  ['PinnedByCorrelation', pinned(correlationOf)],
]);
