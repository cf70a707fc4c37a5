import sharedPb, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb, { type AppendReq, type AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerReadableStream, ServiceError, handleClientStreamingCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import { invalid, unavailable } from '../../../adapters/eventstoredb-endpoint/errors.js';
import { streamName } from '../../../adapters/eventstoredb-endpoint/read-request.js';
import type { Behaviour, Positions } from '../event-store/versions.js';
import type { AppendOutcome, Expected, PreparedEvent } from './append.js';
import { appendTooLarge, eventTooLarge } from './errors.js';
import type { Imitation } from './imitation.js';

/** The message for one event, common to both append calls. */
interface ProposedMessage {
  readonly getId: () => UUID | undefined;
  readonly getMetadataMap: () => { readonly get: (key: string) => string | undefined };
  readonly getCustomMetadata_asU8: () => Uint8Array;
  readonly getData_asU8: () => Uint8Array;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const prepare = (message: ProposedMessage): PreparedEvent => ({
  id: message.getId()?.getString().toLowerCase() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  data: textOf(message.getData_asU8()),
  metadata: textOf(message.getCustomMetadata_asU8()) || '{}',
});

export interface AppendRequest {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: ReadonlyArray<PreparedEvent>;
}

export type TooLarge =
  | { readonly _tag: 'AppendTooLarge'; readonly limit: number }
  | { readonly _tag: 'EventTooLarge'; readonly id: string; readonly bytes: number; readonly limit: number };

/** Why nothing was appended. */
export type AppendProblem =
  | Extract<AppendOutcome, { readonly _tag: 'WrongExpectedVersion' }>
  | { readonly _tag: 'Unavailable' };

export type Appended = Extract<AppendOutcome, { readonly _tag: 'Appended' }>;

/** Collects the events of an append, and notes the first limit that they exceed. */
export const createCollection = ({ limits }: Behaviour) => {
  const events: PreparedEvent[] = [];
  let total = 0;
  let tooLarge: TooLarge | null = null;
  return {
    add: (message: ProposedMessage): void => {
      if (tooLarge !== null) return;
      const event = prepare(message);
      const bytes = message.getData_asU8().length + message.getCustomMetadata_asU8().length + 2 * event.type.length;
      total += bytes;
      events.push(event);
      if (total > limits.append) tooLarge = { _tag: 'AppendTooLarge', limit: limits.append };
      else if (bytes > limits.event) tooLarge = { _tag: 'EventTooLarge', id: event.id, bytes, limit: limits.event };
    },
    take: (): E.Either<TooLarge, ReadonlyArray<PreparedEvent>> =>
      tooLarge === null ? E.right(events) : E.left(tooLarge),
  };
};

export const tooLargeError = (problem: TooLarge): ServiceError =>
  problem._tag === 'AppendTooLarge'
    ? appendTooLarge(problem.limit)
    : eventTooLarge(problem.id, problem.bytes, problem.limit);

/** Appends the events of a request; resolves once they are durable. */
export const appendEvents = async (
  { appender, write }: Imitation,
  { stream, expected, events }: AppendRequest,
): Promise<E.Either<AppendProblem, Appended>> => {
  const written = await write(() => appender.append(stream, expected, events));
  if (E.isLeft(written)) return E.left({ _tag: 'Unavailable' });
  return written.right._tag === 'Appended' ? E.right(written.right) : E.left(written.right);
};

const expectedOf = (options: AppendReq.Options): Expected => {
  if (options.hasRevision()) return Number(options.getRevision());
  if (options.hasNoStream()) return 'no_stream';
  return options.hasStreamExists() ? 'stream_exists' : 'any';
};

interface PositionMessage {
  readonly setCommitPosition: (text: string) => unknown;
  readonly setPreparePosition: (text: string) => unknown;
}

/** Sets the position of a row in a message. */
export const placed = <Message extends PositionMessage>(message: Message, row: number, { of }: Positions): Message => {
  message.setCommitPosition(String(of(row)));
  message.setPreparePosition(String(of(row)));
  return message;
};

const success = (positions: Positions, { revision, row }: Appended): AppendResp => {
  const answer = new streamsPb.AppendResp.Success();
  if (revision < 0) answer.setNoStream(new sharedPb.Empty());
  else answer.setCurrentRevision(String(revision));
  if (row === 0) answer.setNoPosition(new sharedPb.Empty());
  else answer.setPosition(placed(new streamsPb.AppendResp.Position(), row, positions));
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

type Call = ServerReadableStream<AppendReq, AppendResp>;

const gather = (call: Call, behaviour: Behaviour): Promise<E.Either<ServiceError, AppendRequest>> =>
  new Promise((resolve) => {
    let options: AppendReq.Options | undefined;
    const collection = createCollection(behaviour);
    call.on('data', (request: AppendReq) => {
      options = request.getOptions() ?? options;
      const message = request.getProposedMessage();
      if (message !== undefined) collection.add(message);
    });
    call.on('end', () => {
      const stream = streamName(options?.getStreamIdentifier());
      const events = collection.take();
      if (E.isLeft(events)) resolve(E.left(tooLargeError(events.left)));
      else if (options === undefined || stream === null) resolve(E.left(invalid('an append names a stream')));
      else resolve(E.right({ stream, expected: expectedOf(options), events: events.right }));
    });
    call.on('error', () => resolve(E.left(invalid('the append broke off'))));
  });

/** `Streams.Append`: one append, sent in parts. */
export const appendCall = (imitation: Imitation): handleClientStreamingCall<AppendReq, AppendResp> => {
  const { refusal, behaviour } = imitation;
  const answer = async (call: Call): Promise<E.Either<ServiceError, AppendResp>> => {
    const refused = refusal(call.metadata, 'write');
    if (refused !== null) return E.left(refused);
    const request = await gather(call, behaviour);
    if (E.isLeft(request)) return request;
    const appended = await appendEvents(imitation, request.right);
    if (E.isRight(appended)) return E.right(success(behaviour.positions, appended.right));
    return appended.left._tag === 'Unavailable'
      ? E.left(unavailable())
      : E.right(wrongExpectedVersion(request.right.expected, appended.left.actual));
  };
  return (call, callback) => {
    void answer(call).then(E.match(callback, (response) => callback(null, response)));
  };
};
