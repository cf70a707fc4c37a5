import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { EventStore } from '../../application/ports/event-store.js';
import { accessEvents } from '../../domain/access/contract.js';
import { access } from '../../domain/access/decider.js';
import { audio } from '../../domain/audio/decider.js';
import { audioEvents } from '../../domain/audio/events.js';
import { creditAccountEvents } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import type { Decider } from '../../domain/kernel/decider.js';
import { isEventOf, EventMetadata, JsonObject } from '../../domain/kernel/recorded-event.js';
import { matchRunEvents } from '../../domain/match-run/contract.js';
import { matchRun } from '../../domain/match-run/decider.js';
import { tagRegistryEvents } from '../../domain/tag-registry/contract.js';
import { tagRegistry } from '../../domain/tag-registry/decider.js';
import { realtimeCapacityEvents } from '../../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import { realtimeSessionEvents } from '../../domain/realtime-session/contract.js';
import { realtimeSession } from '../../domain/realtime-session/decider.js';
import { video } from '../../domain/video/decider.js';
import { videoEvents } from '../../domain/video/events.js';
import { succeeded } from './event-store/stores.js';

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
export const appendRecorded = async (store: EventStore): Promise<void> => {
  for (const { stream, revision, ...event } of recordedLines('recorded-events.v1.ndjson'))
    if (!stream.startsWith('auditSeal-'))
      await succeeded(store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [event]));
};

export const recordedStates = (file: string): unknown => parsed(readFileSync(fixture(file), 'utf8'));

export const eventOf = ({ type, data }: Pick<Line, 'type' | 'data'>): DomainEvent => {
  const event = decodeEvent(type, data);
  if (E.isLeft(event)) throw new Error(`${type}: ${event.left.reason}`);
  return event.right;
};

const fold =
  <State, Event extends DomainEvent>(
    { initial, evolve }: Pick<Decider<never, State, Event, unknown>, 'initial' | 'evolve'>,
    isOwn: (event: DomainEvent) => event is Event,
  ) =>
  (events: ReadonlyArray<DomainEvent>): State =>
    events.filter(isOwn).reduce<State>(evolve, initial);

/** The fold of each category of streams; evidence has none. */
const folds: Readonly<Record<string, (events: ReadonlyArray<DomainEvent>) => unknown>> = {
  video: fold(video, isEventOf(videoEvents)),
  audio: fold(audio, isEventOf(audioEvents)),
  matchRun: fold(matchRun, isEventOf(matchRunEvents)),
  account: fold(access, isEventOf(accessEvents)),
  realtimeSession: fold(realtimeSession, isEventOf(realtimeSessionEvents)),
  realtimeCapacity: fold(realtimeCapacity, isEventOf(realtimeCapacityEvents)),
  creditAccount: fold(creditAccount, isEventOf(creditAccountEvents)),
  tagRegistry: fold(tagRegistry, isEventOf(tagRegistryEvents)),
};

const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  return value instanceof Map || value instanceof Set ? [...value] : value;
};

/** The folded state of every stream, as JSON. */
export const statesOf = (lines: ReadonlyArray<Pick<Line, 'stream' | 'type' | 'data'>>): unknown => {
  const streams = new Map<string, ReadonlyArray<DomainEvent>>();
  for (const line of lines) streams.set(line.stream, [...(streams.get(line.stream) ?? []), eventOf(line)]);
  const states = [...streams].flatMap(([stream, events]) => {
    const fold = folds[stream.split('-')[0] ?? ''];
    return fold === undefined ? [] : [[stream, fold(events)] as const];
  });
  return parsed(JSON.stringify(Object.fromEntries(states), plain));
};
