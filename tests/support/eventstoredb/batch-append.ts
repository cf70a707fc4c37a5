import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb, { type Status } from '@eventstore/db-client/generated/status_pb.js';
import streamsPb, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerDuplexStream, type handleBidiStreamingCall, status } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import { invalid } from '../../../adapters/eventstoredb-endpoint/errors.js';
import { streamName } from '../../../adapters/eventstoredb-endpoint/read-request.js';
import type { Positions } from '../event-store/versions.js';
import type { Expected } from './append.js';
import {
  type AppendProblem,
  type Appended,
  type TooLarge,
  appendEvents,
  createCollection,
  placed,
  tooLargeError,
} from './append-calls.js';
import type { Imitation } from './imitation.js';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** An append whose parts have not all arrived yet. */
interface PendingAppend {
  readonly options: BatchAppendReq.Options;
  readonly collection: ReturnType<typeof createCollection>;
}

const { ExpectedStreamPositionCase } = streamsPb.BatchAppendReq.Options;

const expectedOf = (options: BatchAppendReq.Options): Expected => {
  switch (options.getExpectedStreamPositionCase()) {
    case ExpectedStreamPositionCase.STREAM_POSITION:
      return Number(options.getStreamPosition());
    case ExpectedStreamPositionCase.NO_STREAM:
      return 'no_stream';
    case ExpectedStreamPositionCase.STREAM_EXISTS:
      return 'stream_exists';
    default:
      return 'any';
  }
};

/** A field of a message, of less than 128 bytes. */
const field = (number: number, bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([number * 8 + 2, bytes.length]), bytes]);

/** A `google.rpc.Status` with a typed detail by which clients distinguish errors. */
const statusOf = (code: status, message: string, type: string, detail: Uint8Array): Status => {
  const typeUrl = field(1, Buffer.from(`type.googleapis.com/event_store.client.${type}`));
  const details = field(3, Buffer.concat([typeUrl, field(2, detail)]));
  return statusPb.Status.deserializeBinary(Buffer.concat([Buffer.from([8, code]), details])).setMessage(message);
};

const wrongExpectedVersion = (expected: Expected, actual: number): Uint8Array => {
  const detail = new sharedPb.WrongExpectedVersion();
  const empty = new sharedPb.Empty();
  if (actual < 0) detail.setCurrentNoStream(empty);
  else detail.setCurrentStreamRevision(String(actual));
  if (expected === 'any') detail.setExpectedAny(empty);
  else if (expected === 'no_stream') detail.setExpectedNoStream(empty);
  else if (expected === 'stream_exists') detail.setExpectedStreamExists(empty);
  else detail.setExpectedStreamPosition(String(expected));
  return detail.serializeBinary();
};

const problemStatus = (expected: Expected, problem: AppendProblem | TooLarge): Status => {
  const nothing = new Uint8Array();
  switch (problem._tag) {
    case 'WrongExpectedVersion': {
      const detail = wrongExpectedVersion(expected, problem.actual);
      return statusOf(status.FAILED_PRECONDITION, 'WrongExpectedVersion', 'WrongExpectedVersion', detail);
    }
    case 'AppendTooLarge': {
      const detail = new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(problem.limit).serializeBinary();
      return statusOf(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', 'MaximumAppendSizeExceeded', detail);
    }
    case 'EventTooLarge': {
      const { details } = tooLargeError(problem);
      return statusOf(status.INVALID_ARGUMENT, details, 'MaximumAppendEventSizeExceeded', nothing);
    }
    case 'Unavailable':
      return statusOf(status.UNAVAILABLE, 'the event log cannot be used at present', 'Unknown', nothing);
  }
};

const success = (positions: Positions, { revision, row }: Appended) => {
  const answer = new streamsPb.BatchAppendResp.Success();
  if (revision >= 0) answer.setCurrentRevision(String(revision));
  else answer.setNoStream(new sharedPb.Empty());
  if (row === 0) return answer.setNoPosition(new sharedPb.Empty());
  return answer.setPosition(placed(new sharedPb.AllStreamPosition(), row, positions));
};

const answerBatch = async (
  call: Call,
  imitation: Imitation,
  request: BatchAppendReq,
  { options, collection }: PendingAppend,
): Promise<void> => {
  const expected = expectedOf(options);
  const stream = streamName(options.getStreamIdentifier()) ?? '';
  const events = collection.take();
  const appended: E.Either<AppendProblem | TooLarge, Appended> = E.isLeft(events)
    ? events
    : await appendEvents(imitation, { stream, expected, events: events.right });
  const response = new streamsPb.BatchAppendResp().setCorrelationId(request.getCorrelationId());
  response.setStreamIdentifier(options.getStreamIdentifier());
  if (E.isLeft(appended)) response.setError(problemStatus(expected, appended.left));
  else response.setSuccess(success(imitation.behaviour.positions, appended.right));
  if (!call.cancelled && !call.destroyed) call.write(response);
};

/** `Streams.BatchAppend`: many appends on one call, each in one or more parts with an id. */
export const batchAppendCall =
  (imitation: Imitation): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> =>
  (call) => {
    const refused = imitation.refusal(call.metadata, 'write');
    if (refused !== null) return void call.emit('error', refused);
    const pending = new Map<string, PendingAppend>();
    let running: Promise<void> = Promise.resolve();
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      const created = options && { options, collection: createCollection(imitation.behaviour) };
      const begun = pending.get(id) ?? created;
      if (begun === undefined) return void call.emit('error', invalid('a batch begins with its options'));
      request.getProposedMessagesList().forEach(begun.collection.add);
      if (!request.getIsFinal()) return void pending.set(id, begun);
      pending.delete(id);
      const done = answerBatch(call, imitation, request, begun);
      running = Promise.all([running, done]).then(() => undefined);
    });
    call.on('end', () => void running.then(() => call.end()));
    call.on('error', () => pending.clear());
  };
