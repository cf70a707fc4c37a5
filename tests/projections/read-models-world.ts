import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { ReadModelsOptions } from '../../adapters/read-models/follow.js';
import { type ReadModels, openReadModels } from '../../adapters/read-models/open.js';
import type { EventStore, NewEvent, Page } from '../../application/ports/event-store.js';
import type { LogFacts } from '../../application/ports/log.js';
import { readEvent } from '../../application/commands/read-event.js';
import { memoryRows, tables } from '../../projections/tables.js';
import { projections } from '../../projections/projections.js';
import type { Listing } from '../../projections/queries.js';
import { succeeded, until, temporaryFolder } from '../support/event-store/stores.js';
import { at } from '../support/values.js';

const metadata = {
  actor: { key_id: 'key', account_id: 'account' },
  correlation_id: 'request',
  causation_id: 'command',
  schema_version: 1,
  recorded_at: at(1),
};

/** An event to append. */
export const toNew = (type: string, data: object): NewEvent => ({
  id: randomUUID(),
  type,
  data: { ...data },
  metadata,
});

/** The registration of a video, with other facts than these if given. */
export const registered = (video_id: string, facts: object = {}): NewEvent =>
  toNew('VideoRegistered.v1', { video_id, owner_id: 'o1', title: null, kind: 'upload', audio_id: null, ...facts });

/** Appends events to the ends of their streams. */
const appender = (store: EventStore) => {
  const revisions = new Map<string, number>();
  return async (stream: string, ...events: ReadonlyArray<NewEvent>): Promise<string> => {
    const last = revisions.get(stream);
    const { revision, position } = await succeeded(store.append(stream, last ?? 'no_stream', events));
    revisions.set(stream, revision);
    return position;
  };
};

/** The store with subscriptions whose pages are delivered in another way. */
export const delivering = (
  store: EventStore,
  deliver: (page: Page, onPage: (page: Page) => Promise<void>) => Promise<void>,
): EventStore => ({
  ...store,
  subscribe: (after, filter, handlers) =>
    store.subscribe(after, filter, { ...handlers, onPage: (page) => deliver(page, handlers.onPage) }),
});

/** All rows of a file, with their index columns, in their order. */
export const rowsOfFile = (file: string): ReadonlyArray<ReadonlyArray<unknown>> => {
  const db = new Database(file);
  try {
    return Object.values(tables).map(({ name }) => db.prepare(`SELECT * FROM ${name} ORDER BY number`).all());
  } finally {
    db.close();
  }
};

/** All rows after the events of a store, replayed in memory. */
export const replayed = async (store: EventStore) => {
  const rows = memoryRows();
  const { events } = await succeeded(store.readAll(null, {}, 100_000));
  for (const stored of events) {
    const event = readEvent(stored);
    if (E.isLeft(event)) throw new Error(event.left.reason);
    projections.forEach((projection) => projection.project(rows, event.right));
  }
  return rows;
};

export interface Line {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly facts: LogFacts | undefined;
}

/** A store and its read models, in a temporary folder. */
export const openWorld = async () => {
  const { path, remove } = await temporaryFolder();
  const events = openSqliteEventStore({ file: join(path, 'events.db') });
  const file = join(path, 'read-models.db');
  const lines: Line[] = [];
  const opened: ReadModels[] = [];
  const line = (level: Line['level']) => (message: string, facts?: LogFacts) =>
    void lines.push({ level, message, facts });
  const open = (options: Partial<ReadModelsOptions> = {}): ReadModels => {
    const log = { info: line('info'), warn: line('warn'), error: line('error') };
    const readModels = openReadModels({ file, store: events.store, log, ...options });
    opened.push(readModels);
    return readModels;
  };
  /** Resolves once they have caught up. */
  const caughtUp = async (readModels: ReadModels): Promise<void> => {
    const head = await succeeded(events.store.head());
    if (head !== null) await succeeded(readModels.queries.reached(head, 10_000));
    await until('caught up', () => readModels.status().caught_up);
  };
  return {
    ...events,
    folder: path,
    file,
    lines,
    append: appender(events.store),
    open,
    caughtUp,
    /** Opens them, lets them catch up, closes them, and returns the rows. */
    rows: async (options: Partial<ReadModelsOptions> = {}) => {
      const readModels = open(options);
      await caughtUp(readModels);
      await readModels.close();
      return rowsOfFile(options.file ?? file);
    },
    end: async () => {
      await Promise.all(opened.map((readModels) => readModels.close()));
      await events.close();
      await remove();
    },
  };
};

export type World = Awaited<ReturnType<typeof openWorld>>;

/** The pages of a list, one after the other. */
export async function* pagesOf<Item>(
  find: (cursor: string | null) => TE.TaskEither<unknown, Listing<Item>>,
): AsyncGenerator<ReadonlyArray<Item>, void> {
  for (let cursor: string | null = null; ;) {
    const { items, next_cursor }: Listing<Item> = await succeeded(find(cursor));
    yield items;
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
}
