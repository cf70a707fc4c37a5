import * as t from 'io-ts';

/** The settings with which a group was created or updated, as the log stores them. */
export const GroupSettings = t.type({
  resolve_links: t.boolean,
  extra_statistics: t.boolean,
  /** The first row or revision. */
  start_from: t.number,
  /** Milliseconds; 0 for no timeout. */
  message_timeout: t.number,
  max_retry_count: t.number,
  /** Milliseconds. */
  checkpoint_after: t.number,
  min_checkpoint_count: t.number,
  max_checkpoint_count: t.number,
  /** 0: any number. */
  max_subscriber_count: t.number,
  live_buffer_size: t.number,
  read_batch_size: t.number,
  history_buffer_size: t.number,
  strategy: t.string,
  filter: t.union([
    t.null,
    t.type({ on: t.keyof({ stream: null, type: null }), regex: t.string, prefixes: t.array(t.string) }),
  ]),
});
export type GroupSettings = t.TypeOf<typeof GroupSettings>;

/** Identifies a group. */
export interface GroupName {
  /** Null: all streams. */
  readonly source: string | null;
  readonly group: string;
}

/** A group as recorded in the log. */
export interface GroupConfig extends GroupName {
  readonly settings: GroupSettings;
  /** Distinguishes this group from an earlier one of the same name. */
  readonly created: number;
}

export const sourceName = ({ source }: GroupName): string => source ?? '$all';

const prefixOf = (name: GroupName): string => `$persistentsubscription-${sourceName(name)}::${name.group}`;

export const parkedStreamOf = (name: GroupName): string => `${prefixOf(name)}-parked`;

/** The name of the group's checkpoint, stored with those of this service's own processes. */
export const checkpointKeyOf = (config: GroupConfig): string => `${prefixOf(config)}@${config.created}`;
