import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { ownEvent } from '../log/append.js';
import type { ServedLog } from '../log/open-log.js';
import { type GroupConfig, type GroupName, GroupSettings } from './settings.js';

/** The stream that tells which groups there are. */
const configStream = '$persistentSubscriptionConfig';

const created = '$PersistentSubscriptionCreated';
/** Earlier versions of this server let groups be updated and deleted. */
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

/** Writes a new group down; null when the log cannot be written. */
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
