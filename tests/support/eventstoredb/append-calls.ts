import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb, { type AppendReq, type AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerReadableStream, ServiceError, handleClientStreamingCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import { invalid, unavailable } from '../../../adapters/eventstoredb-endpoint/errors.js';
import { streamName } from '../../../adapters/eventstoredb-endpoint/read-request.js';
import type { Behaviour, Positions } from '../event-store/versions.js';
import type { AppendOutcome, Expected, PreparedEvent } from './append.js';
import { appendTooLarge, eventTooLarge, type Imitation } from './imitation.js';

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8');

const prepare = (message: AppendReq.ProposedMessage): PreparedEvent => ({
  id: message.getId()?.getString().toLowerCase() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  data: textOf(message.getData_asU8()),
  metadata: textOf(message.getCustomMetadata_asU8()) || '{}',
});

interface AppendRequest {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: ReadonlyArray<PreparedEvent>;
}

const expectedOf = (options: AppendReq.Options): Expected => {
  if (options.hasRevision()) return Number(options.getRevision());
  return options.hasNoStream() ? 'no_stream' : 'any';
};

type Appended = Extract<AppendOutcome, { readonly _tag: 'Appended' }>;

const success = ({ of }: Positions, { revision, row }: Appended): AppendResp => {
  const answer = new streamsPb.AppendResp.Success();
  if (revision < 0) answer.setNoStream(new sharedPb.Empty());
  else answer.setCurrentRevision(String(revision));
  if (row === 0) answer.setNoPosition(new sharedPb.Empty());
  else {
    const position = String(of(row));
    answer.setPosition(new streamsPb.AppendResp.Position().setCommitPosition(position).setPreparePosition(position));
  }
  return new streamsPb.AppendResp().setSuccess(answer);
};

const wrongExpectedVersion = (expected: Expected, actual: number): AppendResp => {
  const answer = new streamsPb.AppendResp.WrongExpectedVersion();
  const empty = new sharedPb.Empty();
  if (actual < 0) answer.setCurrentNoStream(empty).setNoStream2060(empty);
  else answer.setCurrentRevision(String(actual));
  if (expected === 'any') answer.setExpectedAny(empty);
  else if (expected === 'no_stream') answer.setExpectedNoStream(empty);
  else answer.setExpectedRevision(String(expected));
  return new streamsPb.AppendResp().setWrongExpectedVersion(answer);
};

type Call = ServerReadableStream<AppendReq, AppendResp>;

/** The append, once all of it has arrived; an error if it exceeds a limit. */
const gather = (call: Call, { limits }: Behaviour): Promise<E.Either<ServiceError, AppendRequest>> =>
  new Promise((resolve) => {
    let options: AppendReq.Options | undefined;
    let total = 0;
    let tooLarge: ServiceError | null = null;
    const events: PreparedEvent[] = [];
    call.on('data', (request: AppendReq) => {
      options = request.getOptions() ?? options;
      const message = request.getProposedMessage();
      if (message === undefined || tooLarge !== null) return;
      const event = prepare(message);
      const bytes = message.getData_asU8().length + message.getCustomMetadata_asU8().length + 2 * event.type.length;
      total += bytes;
      events.push(event);
      if (total > limits.append) tooLarge = appendTooLarge(limits.append);
      else if (bytes > limits.event) tooLarge = eventTooLarge(event.id, bytes, limits.event);
    });
    call.on('end', () => {
      const stream = streamName(options?.getStreamIdentifier());
      if (tooLarge !== null) resolve(E.left(tooLarge));
      else if (options === undefined || stream === null) resolve(E.left(invalid('an append names a stream')));
      else resolve(E.right({ stream, expected: expectedOf(options), events }));
    });
    call.on('error', () => resolve(E.left(invalid('the append broke off'))));
  });

/** `Streams.Append`: one append, sent in parts; answered once it is durable. */
export const appendCall = (imitation: Imitation): handleClientStreamingCall<AppendReq, AppendResp> => {
  const { refusal, behaviour, appender, write, faults } = imitation;
  const answer = async (call: Call): Promise<E.Either<ServiceError, AppendResp>> => {
    const refused = refusal(call.metadata, { method: 'append', stream: null });
    if (refused !== null) return E.left(refused);
    const request = await gather(call, behaviour);
    if (E.isLeft(request)) return request;
    const { stream, expected, events } = request.right;
    const written = await write(() => appender.append(stream, expected, events));
    if (E.isLeft(written)) return E.left(unavailable());
    const lost = faults.lose();
    if (lost !== null) return E.left(lost);
    const outcome = written.right;
    return E.right(
      outcome._tag === 'Appended'
        ? success(behaviour.positions, outcome)
        : wrongExpectedVersion(expected, outcome.actual),
    );
  };
  return (call, callback) => {
    void answer(call).then(E.match(callback, (response) => callback(null, response)));
  };
};
