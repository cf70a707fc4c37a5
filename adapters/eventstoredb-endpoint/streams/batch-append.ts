import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import statusPb, { type Status } from '@eventstore/db-client/generated/status_pb.js';
import streamsPb, { type BatchAppendReq, type BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerDuplexStream, type handleBidiStreamingCall, status } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { Access } from '../access.js';
import type { Behaviour, Positions } from '../behaviour.js';
import { eventTooLarge, invalid } from '../errors.js';
import type { Expected } from '../log/append.js';
import { createBackwardWriter } from '../wire/backward-writer.js';
import { readUuid } from '../wire/uuid.js';
import {
  type AppendEvents,
  type AppendProblem,
  type Appended,
  type TooLarge,
  measuring,
  type ProposedMessage,
  sizeOf,
} from './append-events.js';
import { placed } from './append.js';
import { streamName } from './stream-name.js';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** An append whose parts have not all arrived yet. */
interface PendingAppend {
  readonly options: BatchAppendReq.Options;
  readonly messages: ProposedMessage[];
  bytes: number;
  tooLarge: TooLarge | null;
}

const maxPendingAppends = 1_000;

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

const writer = createBackwardWriter();

/** A `google.rpc.Status` with a typed detail by which clients distinguish errors. */
const statusOf = (code: status, message: string, type: string, detail: Uint8Array): Status => {
  const mark = writer.mark();
  writer.bytes(2, detail);
  writer.text(1, `type.googleapis.com/event_store.client.${type}`);
  writer.end(3, mark);
  writer.text(2, message);
  writer.number(1, code);
  return statusPb.Status.deserializeBinary(writer.take());
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

const problemStatus = (expected: Expected, problem: AppendProblem): Status => {
  const nothing = new Uint8Array();
  switch (problem._tag) {
    case 'WrongExpectedVersion': {
      const detail = wrongExpectedVersion(expected, problem.actual);
      return statusOf(status.FAILED_PRECONDITION, 'WrongExpectedVersion', 'WrongExpectedVersion', detail);
    }
    case 'StreamDeleted':
      return statusOf(status.FAILED_PRECONDITION, 'StreamDeleted', 'StreamDeleted', nothing);
    case 'AppendTooLarge': {
      const detail = new sharedPb.MaximumAppendSizeExceeded().setMaxappendsize(problem.limit).serializeBinary();
      return statusOf(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', 'MaximumAppendSizeExceeded', detail);
    }
    case 'EventTooLarge': {
      const { details } = eventTooLarge(problem.id, problem.bytes, problem.limit);
      return statusOf(status.INVALID_ARGUMENT, details, 'MaximumAppendEventSizeExceeded', nothing);
    }
    case 'Denied':
      return statusOf(status.PERMISSION_DENIED, problem.error.details, 'AccessDenied', nothing);
    case 'Invalid':
      return statusOf(
        status.INVALID_ARGUMENT,
        problem.error.details,
        'BadRequest',
        new sharedPb.BadRequest().setMessage(problem.error.details).serializeBinary(),
      );
    case 'Unavailable':
      return statusOf(status.UNAVAILABLE, 'the event log cannot be used at present', 'Unknown', nothing);
  }
};

const success = (positions: Positions, { revision, row }: Appended) => {
  const answer = new streamsPb.BatchAppendResp.Success();
  if (revision >= 0) answer.setCurrentRevision(String(revision));
  else answer.setNoStream(new sharedPb.Empty());
  if (row === 0) return answer.setNoPosition(new sharedPb.Empty());
  return answer.setPosition(placed(new sharedPb.AllStreamPosition(), positions.of(row)));
};

const answerBatch = async (
  call: Call,
  append: AppendEvents,
  positions: Positions,
  request: BatchAppendReq,
  begun: PendingAppend,
): Promise<void> => {
  const { options, messages, tooLarge } = begun;
  const expected = expectedOf(options);
  const stream = streamName(options.getStreamIdentifier());
  const response = new streamsPb.BatchAppendResp().setCorrelationId(request.getCorrelationId());
  response.setStreamIdentifier(options.getStreamIdentifier());
  const appended = await (stream === null
    ? Promise.resolve(E.left<AppendProblem>({ _tag: 'Invalid', error: invalid('an append names a stream') }))
    : tooLarge !== null
      ? Promise.resolve(E.left<AppendProblem>(tooLarge))
      : append({ stream, expected, messages }));
  if (E.isLeft(appended)) response.setError(problemStatus(expected, appended.left));
  else response.setSuccess(success(positions, appended.right));
  if (!call.cancelled && !call.destroyed) call.write(response);
};

/** `Streams.BatchAppend`: many appends on one call, each in one or more parts with an id. */
export const batchAppendCall =
  (
    access: Access,
    append: AppendEvents,
    behaviour: Behaviour,
  ): handleBidiStreamingCall<BatchAppendReq, BatchAppendResp> =>
  (call) => {
    const measure = measuring(behaviour);
    const refusal = access.refusal(call.metadata, 'write');
    if (refusal !== null) return void call.emit('error', refusal);
    const pending = new Map<string, PendingAppend>();
    let running: Promise<void> = Promise.resolve();
    call.on('data', (request: BatchAppendReq) => {
      const id = readUuid(request.getCorrelationId());
      const options = request.getOptions();
      const known = id === null ? undefined : pending.get(id);
      const begun = known ?? (options === undefined ? undefined : { options, messages: [], bytes: 0, tooLarge: null });
      if (id === null || begun === undefined || pending.size > maxPendingAppends)
        return void call.emit('error', invalid('a batch has an id and begins with its options'));
      request.getProposedMessagesList().forEach((message) => {
        if (begun.tooLarge !== null) return;
        begun.bytes += sizeOf(message);
        begun.messages.push(message);
        begun.tooLarge = measure(begun.messages, begun.bytes);
      });
      if (!request.getIsFinal()) return void pending.set(id, begun);
      pending.delete(id);
      const done = answerBatch(call, append, behaviour.positions, request, begun);
      running = Promise.all([running, done]).then(() => undefined);
    });
    call.on('end', () => void running.then(() => call.end()));
    call.on('error', () => pending.clear());
  };
