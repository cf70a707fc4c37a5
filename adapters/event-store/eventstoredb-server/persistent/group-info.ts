import type { SubscriptionInfo } from '@eventstore/db-client/generated/persistent_pb.js';
import persistentPb from '@eventstore/db-client/generated/persistent_pb.js';
import type { ServedLog } from '../log/open-log.js';
import type { Positions } from '../behaviour.js';
import type { Consumer } from './consumer.js';
import type { Group } from './group.js';
import { type GroupConfig, type GroupName, sourceName } from './settings.js';

/** A place as this protocol writes it: a revision, or a position. */
const writing =
  ({ of }: Positions, { source }: GroupName) =>
  (place: number): string =>
    source === null ? `C:${of(place)}/P:${of(place)}` : String(place);

const connection = ({ from, name, username, capacity, inFlight }: Consumer) =>
  new persistentPb.SubscriptionInfo.ConnectionInfo()
    .setFrom(from)
    .setUsername(username)
    .setConnectionName(name)
    .setAvailableSlots(capacity - inFlight.size)
    .setInFlightMessages(inFlight.size);

const describeSettings = (
  info: SubscriptionInfo,
  { settings }: GroupConfig,
  written: (place: number) => string,
): SubscriptionInfo => {
  return info
    .setResolveLinkTos(settings.resolve_links)
    .setStartFrom(written(settings.start_from))
    .setMessageTimeoutMilliseconds(settings.message_timeout)
    .setExtraStatistics(settings.extra_statistics)
    .setMaxRetryCount(settings.max_retry_count)
    .setLiveBufferSize(settings.live_buffer_size)
    .setBufferSize(settings.history_buffer_size)
    .setReadBatchSize(settings.read_batch_size)
    .setCheckPointAfterMilliseconds(settings.checkpoint_after)
    .setMinCheckPointCount(settings.min_checkpoint_count)
    .setMaxCheckPointCount(settings.max_checkpoint_count)
    .setNamedConsumerStrategy(settings.strategy)
    .setMaxSubscriberCount(settings.max_subscriber_count);
};

/** What can be said of a group now. */
export const groupInfo = ({ rows, behaviour }: ServedLog, group: Group): SubscriptionInfo => {
  const { config, waiting, parking } = group;
  const written = writing(behaviour.positions, config);
  const consumers = group.consumers();
  const inFlight = consumers.reduce((sum, consumer) => sum + consumer.inFlight.size, 0);
  const last = config.source === null ? rows.head() : rows.lastRevision(config.source);
  const reached = group.checkpoint();
  const info = new persistentPb.SubscriptionInfo()
    .setEventSource(sourceName(config))
    .setGroupName(config.group)
    .setStatus('Live')
    .setConnectionsList(consumers.map(connection))
    .setTotalItems(String(group.settled()))
    .setLastCheckpointedEventPosition(reached === null ? '' : written(reached - 1))
    .setLastKnownEventPosition(last < 0 ? '' : written(last))
    .setReadBufferCount(waiting.size() - waiting.sizeOfAgain())
    .setLiveBufferCount('0')
    .setRetryBufferCount(waiting.sizeOfAgain())
    .setTotalInFlightMessages(inFlight)
    .setOutstandingMessagesCount(inFlight)
    .setParkedMessageCount(String(parking.count()));
  return describeSettings(info, config, written);
};
