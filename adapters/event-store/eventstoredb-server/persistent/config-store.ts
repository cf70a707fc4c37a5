import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { ownEvent } from '../log/append.js';
import type { ServedLog } from '../log/open-log.js';
import { type GroupConfig, type GroupName, GroupSettings } from './settings.js';

/** The stream that tells which groups there are. */
const configStream = '$persistentSubscriptionConfig';

const created = '$PersistentSubscriptionCreated';
const updated = '$PersistentSubscriptionUpdated';
const deleted = '$PersistentSubscriptionDeleted';

const Name = t.type({ source: t.union([t.string, t.null]), group: t.string });
const Set_ = t.intersection([Name, t.type({ settings: GroupSettings })]);

const keyOf = ({ source, group }: GroupName): string => JSON.stringify([source, group]);

/** The groups that the log tells of. */
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

/** Writes down what becomes of a group; gives the revision of what was written. */
const write = async ({ write: commit, appender, rows }: ServedLog, type: string, data: object) => {
  const written = await commit({
    run: () => {
      const revision = rows.lastRevision(configStream) + 1;
      return { revision, row: appender.insert(configStream, revision, ownEvent(type, JSON.stringify(data))) };
    },
    characters: 0,
    newestRow: ({ row }) => row,
  });
  return E.isRight(written) ? written.right.revision : null;
};

/** Null when the log cannot be written. */
export const createConfig = async (
  log: ServedLog,
  { source, group }: GroupName,
  settings: GroupSettings,
): Promise<GroupConfig | null> => {
  const revision = await write(log, created, { source, group, settings });
  return revision === null ? null : { source, group, settings, created: revision };
};

export const updateConfig = async (
  log: ServedLog,
  known: GroupConfig,
  settings: GroupSettings,
): Promise<GroupConfig | null> => {
  const { source, group } = known;
  const revision = await write(log, updated, { source, group, settings });
  return revision === null ? null : { ...known, settings };
};

/** Whether it could be written. */
export const deleteConfig = async (log: ServedLog, { source, group }: GroupName): Promise<boolean> =>
  (await write(log, deleted, { source, group })) !== null;
