import streamsPb, { type AppendReq, type AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { ServerReadableStream, ServiceError, handleClientStreamingCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { Access } from '../access.js';
import type { Behaviour, Positions } from '../behaviour.js';
import { appendTooLarge, eventTooLarge, invalid, streamDeleted, unavailable } from '../errors.js';
import type { Expected } from '../log/append.js';
import {
  type AppendEvents,
  type AppendProblem,
  type Appended,
  type AppendRequest,
  type Measure,
  type TooLarge,
  measuring,
  type ProposedMessage,
  sizeOf,
} from './append-events.js';
import { streamName } from './stream-name.js';

interface ExpectingOptions {
  readonly hasRevision: () => boolean;
  readonly getRevision: () => string;
  readonly hasNoStream: () => boolean;
  readonly hasStreamExists: () => boolean;
  readonly hasAny: () => boolean;
}

/** Null if the request does not say. */
const expectedOf = (options: ExpectingOptions): Expected | null => {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasAny() ? 'any' : null;
};

interface PositionMessage {
  readonly setCommitPosition: (text: string) => unknown;
  readonly setPreparePosition: (text: string) => unknown;
}

/** Sets the position of a row in a message. */
export const placed = <Message extends PositionMessage>(message: Message, position: number | bigint): Message => {
  message.setCommitPosition(String(position));
  message.setPreparePosition(String(position));
  return message;
};

const success = (positions: Positions, { revision, row }: Appended): AppendResp => {
  const answer = new streamsPb.AppendResp.Success();
  if (revision < 0) answer.setNoStream(new sharedPb.Empty());
  else answer.setCurrentRevision(String(revision));
  if (row === 0) answer.setNoPosition(new sharedPb.Empty());
  else answer.setPosition(placed(new streamsPb.AppendResp.Position(), positions.of(row)));
  return new streamsPb.AppendResp().setSuccess(answer);
};

const wrongExpectedVersion = (expected: Expected, actual: number): AppendResp => {
  const answer = new streamsPb.AppendResp.WrongExpectedVersion();
  const empty = new sharedPb.Empty();
  if (actual < 0) answer.setCurrentNoStream(empty).setNoStream2060(empty);
  else answer.setCurrentRevision(String(actual));
  if (expected === 'any') answer.setExpectedAny(empty);
  else if (expected === 'no_stream') answer.setExpectedNoStream(empty);
  else if (expected === 'stream_exists') answer.setExpectedStreamExists(empty);
  else answer.setExpectedRevision(String(expected));
  return new streamsPb.AppendResp().setWrongExpectedVersion(answer);
};

const errorOf = (stream: string, problem: Exclude<AppendProblem, { _tag: 'WrongExpectedVersion' }>): ServiceError => {
  switch (problem._tag) {
    case 'StreamDeleted':
      return streamDeleted(stream);
    case 'AppendTooLarge':
      return appendTooLarge(problem.limit);
    case 'EventTooLarge':
      return eventTooLarge(problem.id, problem.bytes, problem.limit);
    case 'Denied':
      return problem.error;
    case 'Invalid':
      return problem.error;
    case 'Unavailable':
      return unavailable();
  }
};

const gather = (
  call: ServerReadableStream<AppendReq, AppendResp>,
  measure: Measure,
): Promise<E.Either<ServiceError, AppendRequest>> =>
  new Promise((resolve) => {
    let options: AppendReq.Options | undefined;
    const messages: ProposedMessage[] = [];
    let bytes = 0;
    let tooLarge: TooLarge | null = null;
    call.on('data', (request: AppendReq) => {
      options = request.getOptions() ?? options;
      const message = request.getProposedMessage();
      if (message === undefined || tooLarge !== null) return;
      bytes += sizeOf(message);
      messages.push(message);
      tooLarge = measure(messages, bytes);
    });
    call.on('end', () => {
      const expected = options === undefined ? null : expectedOf(options);
      const stream = streamName(options?.getStreamIdentifier());
      if (tooLarge !== null) resolve(E.left(errorOf(stream ?? '', tooLarge)));
      else if (stream === null || expected === null)
        resolve(E.left(invalid('an append names a stream and the revision that it expects')));
      else resolve(E.right({ stream, expected, messages }));
    });
    call.on('error', () => resolve(E.left(invalid('the append broke off'))));
  });

/** `Streams.Append`: one append, sent in parts. */
export const appendCall = (
  access: Access,
  append: AppendEvents,
  behaviour: Behaviour,
): handleClientStreamingCall<AppendReq, AppendResp> => {
  const measure = measuring(behaviour);
  const answer = async (
    call: ServerReadableStream<AppendReq, AppendResp>,
  ): Promise<E.Either<ServiceError, AppendResp>> => {
    const refusal = access.refusal(call.metadata, 'write');
    if (refusal !== null) return E.left(refusal);
    const request = await gather(call, measure);
    if (E.isLeft(request)) return request;
    const { stream, expected } = request.right;
    const appended = await append(request.right);
    if (E.isRight(appended)) return E.right(success(behaviour.positions, appended.right));
    return appended.left._tag === 'WrongExpectedVersion'
      ? E.right(wrongExpectedVersion(expected, appended.left.actual))
      : E.left(errorOf(stream, appended.left));
  };
  return (call, callback) => {
    void answer(call).then(E.match(callback, (response) => callback(null, response)));
  };
};
