import eventStoreDb from '@eventstore/db-client';
import type { AllStreamRecordedEvent, AllStreamResolvedEvent, EventStoreDBClient } from '@eventstore/db-client';

const { EventStoreDBClient: Client, jsonEvent } = eventStoreDb;

/** The vendor's own client. */
export const connect = (url: string): EventStoreDBClient => Client.connectionString(url);

/** `count` events of one type, numbered in their data. */
export const numbered = (count: number, type = 'Counted', first = 0) =>
  Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { n: first + index } }));

/** Collects the events of a read or a subscription until it ends or `count` events have arrived. */
export const take = async <Event>(events: AsyncIterable<Event>, count = Number.MAX_SAFE_INTEGER): Promise<Event[]> => {
  const taken: Event[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
};

/** The recorded events inside resolved events. */
export const recorded = (events: ReadonlyArray<Pick<AllStreamResolvedEvent, 'event'>>): AllStreamRecordedEvent[] =>
  events.flatMap(({ event }) => event ?? []);

export const revisions = (events: ReadonlyArray<{ readonly event?: { readonly revision: bigint } }>): number[] =>
  events.flatMap(({ event }) => (event === undefined ? [] : [Number(event.revision)]));

/** The error of a promise that rejects, as the client reports it. */
export const failure = async (work: Promise<unknown>): Promise<Record<string, unknown>> => {
  try {
    await work;
  } catch (error) {
    if (typeof error === 'object' && error !== null) return { ...error };
  }
  throw new Error('it succeeded');
};
