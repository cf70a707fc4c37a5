import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import { aggregates } from '../../application/application.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import { EventMetadata, JsonObject } from '../../domain/kernel/recorded-event.js';
import { openInMemory, succeeded } from './event-store/stores.js';

const Line = t.type({
  stream: t.string,
  revision: t.number,
  id: t.string,
  type: t.string,
  data: JsonObject,
  metadata: EventMetadata,
});
type Line = t.TypeOf<typeof Line>;

/** The path of a file in tests/fixtures. */
export const fixture = (name: string): string => join(process.cwd(), 'tests', 'fixtures', name);

const decoded = <A>(result: t.Validation<A>): A => {
  if (E.isLeft(result)) throw new Error('the fixture is not valid');
  return result.right;
};

const parsed = (text: string): unknown => JSON.parse(text);

/** The recorded log, line by line. */
export const recordedLines = (file: string): ReadonlyArray<Line> =>
  readFileSync(fixture(file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => decoded(Line.decode(parsed(line))));

/**
 * Appends the recorded events to their streams, in their order: a log with every type of event, but for seals, which say
 * something about the log that they were made in.
 */
export const appendRecorded = (store: EventStore): Promise<void> =>
  appendLines(
    store,
    recordedLines('recorded-events.v1.ndjson').filter(({ stream }) => !stream.startsWith('auditSeal-')),
  );

const appendLines = async (store: EventStore, lines: ReadonlyArray<Line>): Promise<void> => {
  for (const { stream, revision, ...event } of lines)
    await succeeded(store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [event]));
};

export const recordedStates = (file: string): unknown => parsed(readFileSync(fixture(file), 'utf8'));

export const eventOf = ({ type, data }: Pick<Line, 'type' | 'data'>): DomainEvent => {
  const event = decodeEvent(type, data);
  if (E.isLeft(event)) throw new Error(`${type}: ${event.left.reason}`);
  return event.right;
};

const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map || value instanceof Set ? [...value] : value;
};

/** The state of every stream as its aggregate loads it, as JSON; evidence has none. */
export const statesOf = async (file: string): Promise<unknown> => {
  const { store } = await openInMemory();
  const lines = recordedLines(file);
  await appendLines(store, lines);
  const of = aggregates(store);
  const loads: Readonly<Record<string, (id: string) => TE.TaskEither<unknown, { readonly state: unknown }>>> = {
    video: of.videos.load,
    audio: of.audios.load,
    matchRun: of.matchRuns.load,
    account: of.accounts.load,
    realtimeSession: of.realtimeSessions.load,
    realtimeCapacity: of.realtimeCapacities.load,
    creditAccount: of.creditAccounts.load,
    tagRegistry: of.tagRegistries.load,
  };
  const states: Record<string, unknown> = {};
  for (const stream of new Set(lines.map((line) => line.stream))) {
    const [category = '', ...id] = stream.split('-');
    const load = loads[category];
    if (load !== undefined) states[stream] = (await succeeded(load(id.join('-')))).state;
  }
  return parsed(JSON.stringify(states, plain));
};
