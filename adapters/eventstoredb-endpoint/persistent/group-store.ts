import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { ServedLog } from '../log/open-log.js';
import { ownEvent } from '../log/append.js';
import { type GroupConfig, type GroupName, GroupSettings } from './settings.js';

/** The places from which groups continue after a restart: the first place that is not done. */
export interface GroupCheckpoints {
  /** Null if the group has none yet. */
  readonly load: (key: string) => number | null;
  /** Resolves once it is durable or has failed; after a failure the next one is saved. */
  readonly save: (key: string, place: number) => Promise<void>;
}

/** Stored in the same table as the checkpoints of this service's own processes. */
export const createGroupCheckpoints = (db: Database.Database, write: ServedLog['write']): GroupCheckpoints => {
  const select = db.prepare('SELECT position FROM checkpoints WHERE process = ?').raw(true);
  const upsert = db.prepare(
    `INSERT INTO checkpoints (process, position) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET position = max(position, excluded.position)`,
  );
  return {
    load: (key) => {
      const row: unknown = select.get(key);
      return Array.isArray(row) && typeof row[0] === 'number' ? row[0] : null;
    },
    save: async (key, place) => {
      await write({ run: () => upsert.run(key, place), characters: 0, newestRow: () => 0 });
    },
  };
};

/** The stream that records which groups exist. */
const configStream = '$persistentSubscriptionConfig';

const created = '$PersistentSubscriptionCreated';
/** Earlier versions of this server allowed groups to be updated and deleted. */
const deleted = '$PersistentSubscriptionDeleted';

const Name = t.type({ source: t.union([t.string, t.null]), group: t.string });
const Set_ = t.intersection([Name, t.type({ settings: GroupSettings })]);

const keyOf = ({ source, group }: GroupName): string => JSON.stringify([source, group]);

/** The groups recorded in the log. */
export const loadConfigs = ({ rows }: ServedLog): ReadonlyArray<GroupConfig> => {
  const configs = new Map<string, GroupConfig>();
  for (const [, , revision, , type, data] of rows.streamForwards(configStream, 0, Number.MAX_SAFE_INTEGER)) {
    const stored: unknown = JSON.parse(data);
    const set = Set_.decode(stored);
    const name = Name.decode(stored);
    if (type === deleted && E.isRight(name)) configs.delete(keyOf(name.right));
    else if (E.isRight(set)) {
      const known = configs.get(keyOf(set.right));
      configs.set(keyOf(set.right), { ...set.right, created: known?.created ?? revision });
    }
  }
  return [...configs.values()];
};

/** Records a new group; null if the log cannot be written. */
export const createConfig = async (
  { write, appender, rows }: ServedLog,
  { source, group }: GroupName,
  settings: GroupSettings,
): Promise<GroupConfig | null> => {
  const event = ownEvent(created, JSON.stringify({ source, group, settings }));
  const written = await write({
    run: () => {
      const revision = rows.lastRevision(configStream) + 1;
      return { revision, row: appender.insert(configStream, revision, event) };
    },
    characters: 0,
    newestRow: ({ row }) => row,
  });
  return E.isRight(written) ? { source, group, settings, created: written.right.revision } : null;
};
