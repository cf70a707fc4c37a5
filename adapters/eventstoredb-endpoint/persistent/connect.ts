import persistentPb, { type ReadReq } from '@eventstore/db-client/generated/persistent_pb.js';
import type { ServerDuplexStream, ServiceError, handleBidiStreamingCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { Access } from '../access.js';
import { type ServedLog, opened } from '../log/open-log.js';
import { groupDropped, groupFull, groupMissing, invalid } from '../errors.js';
import { persistentConfirmationMessage, persistentEventMessage } from '../wire/read-messages.js';
import { readUuid } from '../wire/uuid.js';
import type { Consumer } from './consumer.js';
import type { Group } from './group.js';
import { groupName } from './group-request.js';
import type { Groups } from './groups.js';
import { sourceName } from './settings.js';

type Call = ServerDuplexStream<ReadReq, Buffer>;

const { Action } = persistentPb.ReadReq.Nack;

const defaultCapacity = 10;

const idsOf = (answer: ReadReq.Ack | ReadReq.Nack): string[] => answer.getIdsList().flatMap((id) => readUuid(id) ?? []);

const consumerOf = (
  call: Call,
  options: ReadReq.Options,
  log: Pick<ServedLog, 'behaviour' | 'open'>,
  fail: (answer: ServiceError) => void,
): Consumer => {
  const { positions } = log.behaviour;
  const shape = { structured: options.getUuidOption()?.hasStructured() ?? false, positions };
  let sending = Promise.resolve();
  return {
    capacity: options.getBufferSize() > 0 ? options.getBufferSize() : defaultCapacity,
    inFlight: new Map(),
    /** Does not wait for slow clients: the number of unacknowledged messages is limited. */
    send: ({ resolved, retries }) => {
      sending = sending.then(async () => {
        const row = await opened(log, resolved);
        if (!call.destroyed && !call.cancelled) call.write(persistentEventMessage(row, shape, retries));
      });
    },
    drop: fail,
  };
};

const hear = (group: Group, consumer: Consumer, request: ReadReq): void => {
  const ack = request.getAck();
  const nack = request.getNack();
  if (ack !== undefined) group.ack(consumer, idsOf(ack));
  if (nack === undefined) return;
  const action = nack.getAction();
  const verdict = action === Action.PARK ? 'park' : action === Action.SKIP ? 'skip' : 'retry';
  group.nack(consumer, idsOf(nack), verdict, nack.getReason());
  if (action === Action.STOP) consumer.drop(groupDropped(group.config));
};

/** The group that a consumer wants to join, or why it may not. */
const join = (groups: Groups, options: ReadReq.Options): E.Either<ServiceError, Group> => {
  const name = groupName(options);
  if (E.isLeft(name)) return name;
  const group = groups.find(name.right);
  if (group === null) return E.left(groupMissing(name.right));
  const limit = group.config.settings.max_subscriber_count;
  return limit > 0 && group.consumers().length >= limit ? E.left(groupFull(name.right)) : E.right(group);
};

/** `PersistentSubscriptions.Read`: sends messages and receives acknowledgements. */
export const connectCall =
  (
    access: Access,
    groups: Groups,
    log: Pick<ServedLog, 'behaviour' | 'open'>,
  ): handleBidiStreamingCall<ReadReq, Buffer> =>
  (call) => {
    let joined: { readonly group: Group; readonly consumer: Consumer } | null = null;
    let ended = false;
    const leave = (): void => {
      ended = true;
      joined?.group.disconnect(joined.consumer);
    };
    const fail = (answer: ServiceError): void => {
      if (ended) return;
      leave();
      call.emit('error', answer);
    };
    const begin = (options: ReadReq.Options): void => {
      const group = join(groups, options);
      if (E.isLeft(group)) return fail(group.left);
      const { config, connect } = group.right;
      joined = { group: group.right, consumer: consumerOf(call, options, log, fail) };
      call.write(persistentConfirmationMessage(`${sourceName(config)}::${config.group}`));
      connect(joined.consumer);
    };
    const refusal = access.refusal(call.metadata, 'write');
    if (refusal !== null) return fail(refusal);
    call.on('data', (request: ReadReq) => {
      const options = request.getOptions();
      if (ended) return;
      if (joined !== null) hear(joined.group, joined.consumer, request);
      else if (options === undefined) fail(invalid('a consumer first says what it wants to read'));
      else begin(options);
    });
    call.on('cancelled', leave);
    call.on('close', leave);
    call.on('error', leave);
    call.on('end', () => {
      leave();
      call.end();
    });
  };
