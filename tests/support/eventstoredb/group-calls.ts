import persistentPb, {
  type CreateReq,
  type CreateResp,
  type ReadReq,
  type ReadResp,
} from '@eventstore/db-client/generated/persistent_pb.js';
import sharedPb, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { ServerDuplexStream, ServiceError, handleBidiStreamingCall, handleUnaryCall } from '@grpc/grpc-js';
import type Database from 'libsql';
import { unavailable } from '../../../adapters/eventstoredb-endpoint/errors.js';
import { eventMessage } from '../../../adapters/eventstoredb-endpoint/read-messages.js';
import { type Consumer, type Message } from './delivery.js';
import { groupDropped, groupExists, groupMissing, notImitated, streamReset } from './errors.js';
import { type Group, startGroup } from './group.js';
import { type GroupSettings, createGroupStore } from './group-store.js';
import type { Imitation } from './imitation.js';
import { placeEvent } from './reading.js';

const ticksPerMillisecond = 10_000;
const defaultCapacity = 10;

const startFrom = ({ log, behaviour }: Imitation, all: CreateReq.AllOptions): number => {
  const end = log.rows.last(null) + 1;
  const position = all.getPosition();
  if (position === undefined) return all.hasEnd() ? end : 0;
  const [commit, prepare] = [BigInt(position.getCommitPosition()), BigInt(position.getPreparePosition())];
  return Math.ceil(behaviour.positions.rowAt({ commit, prepare }) ?? end);
};

const filterOf = (all: CreateReq.AllOptions): GroupSettings['filter'] => {
  const filter = all.getFilter();
  const expression = filter?.getStreamIdentifier() ?? filter?.getEventType();
  return filter === undefined || expression === undefined
    ? null
    : {
        on: filter.hasStreamIdentifier() ? 'stream' : 'type',
        regex: expression.getRegex(),
        prefixes: expression.getPrefixList(),
      };
};

const settingsOf = (
  imitation: Imitation,
  group: string,
  all: CreateReq.AllOptions,
  given: CreateReq.Settings,
): GroupSettings => ({
  group,
  start_from: startFrom(imitation, all),
  message_timeout: given.hasMessageTimeoutTicks()
    ? Number(given.getMessageTimeoutTicks()) / ticksPerMillisecond
    : given.getMessageTimeoutMs(),
  checkpoint_after: given.hasCheckpointAfterTicks()
    ? Number(given.getCheckpointAfterTicks()) / ticksPerMillisecond
    : given.getCheckpointAfterMs(),
  max_checkpoint_count: given.getMaxCheckpointCount(),
  history_buffer_size: given.getHistoryBufferSize(),
  filter: filterOf(all),
});

const idsOf = (answer: { readonly getIdsList: () => ReadonlyArray<UUID> }): ReadonlyArray<string> =>
  answer.getIdsList().map((id) => id.getString().toLowerCase());

/** The messages of both calls have the same fields, except for the number of retries. */
const messageOf = ({ positions }: Imitation['behaviour'], { row, retries }: Message): ReadResp => {
  const message = persistentPb.ReadResp.deserializeBinary(
    placeEvent(eventMessage(row, false), positions).serializeBinary(),
  );
  if (retries === 0) message.getEvent()?.setNoRetryCount(new sharedPb.Empty());
  else message.getEvent()?.setRetryCount(retries);
  return message;
};

type Call = ServerDuplexStream<ReadReq, ReadResp>;

const answerWith = (group: Group, consumer: Consumer, request: ReadReq): void => {
  const ack = request.getAck();
  const nack = request.getNack();
  if (ack !== undefined) group.acknowledge(consumer, idsOf(ack));
  if (nack === undefined) return;
  if (nack.getAction() === persistentPb.ReadReq.Nack.Action.RETRY) group.retry(consumer, idsOf(nack));
  else consumer.drop(notImitated('parking, skipping and stopping'));
};

/** `PersistentSubscriptions.Read`: sends messages and receives acknowledgements. */
const consumeCall =
  ({ refusal, behaviour }: Imitation, groups: ReadonlyMap<string, Group>): handleBidiStreamingCall<ReadReq, ReadResp> =>
  (call: Call) => {
    let joined: { readonly group: Group; readonly consumer: Consumer } | null = null;
    let isEnded = false;
    const leave = (): void => {
      isEnded = true;
      joined?.group.disconnect(joined.consumer);
    };
    const fail = (error: ServiceError): void => {
      if (isEnded) return;
      leave();
      call.emit('error', error);
    };
    const join = (options: ReadReq.Options | undefined): void => {
      const name = options?.getGroupName() ?? '';
      const group = groups.get(name);
      if (options?.hasAll() !== true || group === undefined) return fail(groupMissing(name));
      const consumer: Consumer = {
        capacity: options.getBufferSize() > 0 ? options.getBufferSize() : defaultCapacity,
        send: (message) => void (call.destroyed || call.cancelled || call.write(messageOf(behaviour, message))),
        drop: fail,
      };
      joined = { group, consumer };
      const confirmation = new persistentPb.ReadResp.SubscriptionConfirmation().setSubscriptionId(`$all::${name}`);
      call.write(new persistentPb.ReadResp().setSubscriptionConfirmation(confirmation));
      group.connect(consumer);
    };
    const refused = refusal(call.metadata, 'write');
    if (refused !== null) return fail(refused);
    call.on('data', (request: ReadReq) => {
      if (isEnded) return;
      if (joined === null) join(request.getOptions());
      else answerWith(joined.group, joined.consumer, request);
    });
    call.on('cancelled', leave);
    call.on('close', leave);
    call.on('error', leave);
    call.on('end', () => {
      leave();
      call.end();
    });
  };

/** The calls of persistent subscriptions to the whole log, from their checkpoints in the log file. */
export const groupCalls = (imitation: Imitation, db: Database.Database) => {
  const { refusal, behaviour, write, appender } = imitation;
  const store = createGroupStore(db, write, appender);
  const groups = new Map(
    store.load().map((settings) => [settings.group, startGroup(imitation, store, settings)] as const),
  );
  const create: handleUnaryCall<CreateReq, CreateResp> = ({ request, metadata }, callback) => {
    const options = request.getOptions();
    const group = options?.getGroupName() ?? '';
    const all = options?.getAll();
    const given = options?.getSettings();
    const refused = refusal(metadata, 'write') ?? (groups.has(group) ? groupExists(group) : null);
    if (refused !== null) return callback(refused);
    if (all === undefined || given === undefined) return callback(notImitated('groups of a stream'));
    const settings = settingsOf(imitation, group, all, given);
    void store.create(settings).then(
      () => {
        if (!groups.has(group)) groups.set(group, startGroup(imitation, store, settings));
        callback(null, new persistentPb.CreateResp());
      },
      () => callback(unavailable()),
    );
  };
  return {
    create,
    read: consumeCall(imitation, groups),
    close: async (): Promise<void> => {
      const error = (name: string) => (behaviour.resetsSubscribers ? streamReset() : groupDropped(name));
      await Promise.all([...groups].map(([name, group]) => group.close(error(name))));
    },
  };
};
