import eventStoreDb from '@eventstore/db-client';
import type { AllStreamRecordedEvent, AllStreamResolvedEvent, EventStoreDBClient } from '@eventstore/db-client';

const { EventStoreDBClient: Client, jsonEvent } = eventStoreDb;

/** The vendor's own client, and how to leave a server. */
export const connect = (url: string): EventStoreDBClient => Client.connectionString(url);

/** So many events of one type, with their number as data. */
export const numbered = (count: number, type = 'Counted', first = 0) =>
  Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { n: first + index } }));

/** All that a reading or a subscription gives until it ends or as many as wanted have come. */
export const take = async <Event>(events: AsyncIterable<Event>, count = Number.MAX_SAFE_INTEGER): Promise<Event[]> => {
  const taken: Event[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
};

/** The events themselves, without what is around them. */
export const recorded = (events: ReadonlyArray<Pick<AllStreamResolvedEvent, 'event'>>): AllStreamRecordedEvent[] =>
  events.flatMap(({ event }) => event ?? []);

export const revisions = (events: ReadonlyArray<{ readonly event?: { readonly revision: bigint } }>): number[] =>
  events.flatMap(({ event }) => (event === undefined ? [] : [Number(event.revision)]));

/** How a promise fails: the client's own name of the failure, and its facts. */
export const failure = async (work: Promise<unknown>): Promise<Record<string, unknown>> => {
  try {
    await work;
  } catch (error) {
    if (typeof error === 'object' && error !== null) return { ...error };
  }
  throw new Error('it succeeded');
};
