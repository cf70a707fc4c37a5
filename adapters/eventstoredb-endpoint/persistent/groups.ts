import type { EventLog } from '../../event-store/sqlite/open.js';
import { groupDropped, streamReset } from '../errors.js';
import type { ServedLog } from '../log/open-log.js';
import { createGroupCheckpoints, createConfig, loadConfigs } from './group-store.js';
import { type Group, startGroup } from './group.js';
import type { GroupName, GroupSettings } from './settings.js';

/** All groups of this server. */
export interface Groups {
  readonly find: (name: GroupName) => Group | null;
  /** Resolves with whether it could be recorded. */
  readonly create: (name: GroupName, settings: GroupSettings) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const keyOf = ({ source, group }: GroupName): string => JSON.stringify([source, group]);

/** Serves the groups recorded in the log, from their checkpoints. */
export const openGroups = ({ db }: EventLog, log: ServedLog): Groups => {
  const checkpoints = createGroupCheckpoints(db, log.write);
  const groups = new Map(
    loadConfigs(log).map((config) => [keyOf(config), startGroup(log, checkpoints, config)] as const),
  );
  return {
    find: (name) => groups.get(keyOf(name)) ?? null,
    create: async (name, settings) => {
      const config = await createConfig(log, name, settings);
      if (config !== null && !groups.has(keyOf(name))) groups.set(keyOf(name), startGroup(log, checkpoints, config));
      return config !== null;
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
