import type { EventLog } from '../../sqlite/open.js';
import { groupDropped, streamReset } from '../errors.js';
import type { ServedLog } from '../log/open-log.js';
import { createGroupCheckpoints } from './checkpoint.js';
import { createConfig, deleteConfig, loadConfigs, updateConfig } from './config-store.js';
import { type Group, startGroup } from './group.js';
import type { GroupName, GroupSettings } from './settings.js';

/** All groups that this server serves. */
export interface Groups {
  readonly find: (name: GroupName) => Group | null;
  readonly all: () => ReadonlyArray<Group>;
  /** Whether it could be written. */
  readonly create: (name: GroupName, settings: GroupSettings) => Promise<boolean>;
  /** Whether it could be written. Its consumers are sent away and may come again. */
  readonly update: (group: Group, settings: GroupSettings) => Promise<boolean>;
  /** Whether it could be written. */
  readonly remove: (group: Group) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const keyOf = ({ source, group }: GroupName): string => JSON.stringify([source, group]);

/** Serves the groups that the log tells of, from where they were. */
export const openGroups = ({ db }: EventLog, log: ServedLog): Groups => {
  const checkpoints = createGroupCheckpoints(db, log.write);
  const groups = new Map(
    loadConfigs(log).map((config) => [keyOf(config), startGroup(log, checkpoints, config)] as const),
  );
  return {
    find: (name) => groups.get(keyOf(name)) ?? null,
    all: () => [...groups.values()],
    create: async (name, settings) => {
      const config = await createConfig(log, name, settings);
      if (config !== null && !groups.has(keyOf(name))) groups.set(keyOf(name), startGroup(log, checkpoints, config));
      return config !== null;
    },
    update: async (group, settings) => {
      const config = await updateConfig(log, group.config, settings);
      if (config === null) return false;
      await group.close(groupDropped(config));
      groups.set(keyOf(config), startGroup(log, checkpoints, config));
      return true;
    },
    remove: async (group) => {
      if (!(await deleteConfig(log, group.config))) return false;
      groups.delete(keyOf(group.config));
      await group.close(groupDropped(group.config));
      return true;
    },
    close: async () => {
      const { resetsSubscribers } = log.behaviour;
      const ends = [...groups.values()].map(({ close, config }) =>
        close(resetsSubscribers ? streamReset() : groupDropped(config)),
      );
      await Promise.all(ends);
    },
  };
};
