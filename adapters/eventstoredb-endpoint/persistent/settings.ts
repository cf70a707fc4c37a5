import * as t from 'io-ts';

/** What a group was told when it was created or updated, as the log keeps it. */
export const GroupSettings = t.type({
  resolve_links: t.boolean,
  extra_statistics: t.boolean,
  /** The row or revision with which to begin. */
  start_from: t.number,
  /** Milliseconds; 0: an answer is waited for without end. */
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

/** Which group of which stream. */
export interface GroupName {
  /** Null: all streams. */
  readonly source: string | null;
  readonly group: string;
}

/** A group as the log knows it. */
export interface GroupConfig extends GroupName {
  readonly settings: GroupSettings;
  /** Tells this group from an earlier one of the same name. */
  readonly created: number;
}

export const sourceName = ({ source }: GroupName): string => source ?? '$all';

const prefixOf = (name: GroupName): string => `$persistentsubscription-${sourceName(name)}::${name.group}`;

export const parkedStreamOf = (name: GroupName): string => `${prefixOf(name)}-parked`;

/** Under which name the group's checkpoint is kept beside those of this service's own processes. */
export const checkpointKeyOf = (config: GroupConfig): string => `${prefixOf(config)}@${config.created}`;
