import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import type { CreateReq } from '@eventstore/db-client/generated/persistent_pb.js';
import type { ServiceError } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import { groupInvalid, invalid } from '../errors.js';
import { rowFilter } from '../log/row-filter.js';
import type { ServedLog } from '../log/open-log.js';
import { streamName } from '../streams/stream-name.js';
import type { GroupName, GroupSettings } from './settings.js';
import { strategies } from './strategies.js';

interface NamingOptions {
  readonly getStreamIdentifier: () => StreamIdentifier | undefined;
  readonly hasAll: () => boolean;
  readonly getGroupName: () => string;
}

/** The name of the group in a request. */
export const groupName = (options: NamingOptions | undefined): E.Either<ServiceError, GroupName> => {
  const group = options?.getGroupName() ?? '';
  const source = options?.hasAll() === true ? null : streamName(options?.getStreamIdentifier());
  return group === '' || (source === null && options?.hasAll() !== true)
    ? E.left(invalid('a request names a group and its stream, or all'))
    : E.right({ source, group });
};

type SettingOptions = CreateReq.Options;

/** The same for a creation request, which names the stream elsewhere. */
export const settingGroupName = (options: SettingOptions | undefined): E.Either<ServiceError, GroupName> =>
  groupName(
    options && {
      getStreamIdentifier: () => options.getStream()?.getStreamIdentifier() ?? options.getStreamIdentifier(),
      hasAll: () => options.hasAll(),
      getGroupName: () => options.getGroupName(),
    },
  );

/** How requests of older clients say that the group starts at the end. */
const end = '18446744073709551615';

const startFrom = ({ rows, behaviour }: ServedLog, { source }: GroupName, options: SettingOptions): number => {
  const stream = options.getStream();
  const all = options.getAll();
  const revision = stream === undefined ? options.getSettings()?.getRevision() : stream.getRevision();
  if (source === null) {
    const given = all?.getPosition()?.toObject();
    if (given === undefined) return all?.hasEnd() === true ? rows.head() + 1 : 0;
    const position = { commit: BigInt(given.commitPosition), prepare: BigInt(given.preparePosition) };
    return Math.ceil(behaviour.positions.rowAt(position) ?? rows.head() + 1);
  }
  return stream?.hasEnd() === true || revision === end ? rows.lastRevision(source) + 1 : Number(revision ?? 0);
};

const filterOf = (options: SettingOptions): GroupSettings['filter'] => {
  const all = options.getAll();
  const filter = all !== undefined && 'getFilter' in all ? all.getFilter() : undefined;
  const expression = filter?.getStreamIdentifier() ?? filter?.getEventType();
  return filter === undefined || expression === undefined
    ? null
    : {
        on: filter.hasStreamIdentifier() ? 'stream' : 'type',
        regex: expression.getRegex(),
        prefixes: expression.getPrefixList(),
      };
};

const named = ['DispatchToSingle', 'RoundRobin', 'Pinned'] as const;
const ticksPerMillisecond = 10_000;

type Settings = CreateReq.Settings;

const strategyOf = (settings: Settings): string => {
  const text = 'getConsumerStrategy' in settings ? settings.getConsumerStrategy() : '';
  return text === '' ? (named[settings.getNamedConsumerStrategy()] ?? '') : text;
};

const milliseconds = (settings: Settings) => ({
  message_timeout: settings.hasMessageTimeoutTicks()
    ? Number(settings.getMessageTimeoutTicks()) / ticksPerMillisecond
    : settings.getMessageTimeoutMs(),
  checkpoint_after: settings.hasCheckpointAfterTicks()
    ? Number(settings.getCheckpointAfterTicks()) / ticksPerMillisecond
    : settings.getCheckpointAfterMs(),
});

const settingsProblem = (settings: GroupSettings): string | null => {
  const numbers = Object.values(settings).filter((value) => typeof value === 'number');
  if (numbers.some((value) => !Number.isSafeInteger(value) || value < 0))
    return 'a setting is not a number of 0 or more';
  if (settings.history_buffer_size < 1) return 'the history buffer holds 1 event or more';
  if (settings.history_buffer_size < settings.read_batch_size)
    return 'the history buffer holds less than one read batch';
  if (!strategies.has(settings.strategy)) return `there is no consumer strategy ${settings.strategy}`;
  const filter = settings.filter;
  const tried = filter === null ? E.right(null) : E.tryCatch(() => rowFilter(filter.on, filter), E.toError);
  return E.isLeft(tried) ? 'the regular expression of the filter is invalid' : null;
};

/** The requested settings of a group, or what is wrong with them. */
export const groupSettings = (
  log: ServedLog,
  name: GroupName,
  options: SettingOptions,
): E.Either<ServiceError, GroupSettings> => {
  const given = options.getSettings();
  if (given === undefined) return E.left(groupInvalid(name, 'there are no settings'));
  const settings: GroupSettings = {
    resolve_links: given.getResolveLinks(),
    extra_statistics: given.getExtraStatistics(),
    start_from: startFrom(log, name, options),
    ...milliseconds(given),
    max_retry_count: given.getMaxRetryCount(),
    min_checkpoint_count: given.getMinCheckpointCount(),
    max_checkpoint_count: given.getMaxCheckpointCount(),
    max_subscriber_count: given.getMaxSubscriberCount(),
    live_buffer_size: given.getLiveBufferSize(),
    read_batch_size: given.getReadBatchSize(),
    history_buffer_size: given.getHistoryBufferSize(),
    strategy: strategyOf(given),
    filter: filterOf(options),
  };
  const wrong = settingsProblem(settings);
  return wrong === null ? E.right(settings) : E.left(groupInvalid(name, wrong));
};
