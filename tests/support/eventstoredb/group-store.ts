import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { type Appender, ownEvent } from './append.js';
import type { Imitation } from './imitation.js';

/** A persistent subscription to the whole log, as its creator wants it. */
export const GroupSettings = t.type({
  group: t.string,
  /** The first row. */
  start_from: t.number,
  /** Milliseconds. */
  message_timeout: t.number,
  checkpoint_after: t.number,
  max_checkpoint_count: t.number,
  history_buffer_size: t.number,
  filter: t.union([
    t.null,
    t.type({ on: t.keyof({ stream: null, type: null }), regex: t.string, prefixes: t.array(t.string) }),
  ]),
});
export type GroupSettings = t.TypeOf<typeof GroupSettings>;

/** What the log file keeps of groups: which there are, and the first row that each has not done. */
export interface GroupStore {
  readonly load: () => ReadonlyArray<GroupSettings>;
  readonly create: (settings: GroupSettings) => Promise<void>;
  /** Null if the group has no checkpoint yet. */
  readonly checkpoint: (group: string) => number | null;
  /** Resolves once it is durable or has failed; after a failure the next one is saved. */
  readonly save: (group: string, row: number) => Promise<void>;
}

const stream = '$persistentSubscriptionConfig';

const keyOf = (group: string): string => `$persistentsubscription-$all::${group}`;

export const createGroupStore = (
  db: Database.Database,
  write: Imitation['write'],
  { insert }: Appender,
): GroupStore => {
  const created = db.prepare('SELECT data FROM events WHERE stream = ? ORDER BY revision').raw(true);
  const select = db.prepare('SELECT position FROM checkpoints WHERE process = ?').raw(true);
  const upsert = db.prepare(
    `INSERT INTO checkpoints (process, position) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET position = max(position, excluded.position)`,
  );
  return {
    load: () =>
      created.all(stream).flatMap((row: unknown) => {
        const settings = GroupSettings.decode(Array.isArray(row) ? JSON.parse(String(row[0])) : null);
        return E.isRight(settings) ? [settings.right] : [];
      }),
    create: async (settings) => {
      const event = ownEvent('$PersistentSubscriptionCreated', JSON.stringify(settings));
      const run = () => insert(stream, event);
      const written = await write({ run, newestRow: (row) => row });
      if (E.isLeft(written)) throw new Error(written.left.reason);
    },
    checkpoint: (group) => {
      const row: unknown = select.get(keyOf(group));
      return Array.isArray(row) && typeof row[0] === 'number' ? row[0] : null;
    },
    save: async (group, row) => {
      await write({ run: () => upsert.run(keyOf(group), row), newestRow: () => 0 });
    },
  };
};
