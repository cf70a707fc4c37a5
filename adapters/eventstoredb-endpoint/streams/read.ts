import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServiceError, handleServerStreamingCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { Access } from '../access.js';
import { isAnswer, streamDeleted, unavailable } from '../errors.js';
import type { ServedLog } from '../log/open-log.js';
import { streamState } from '../log/stream-state.js';
import { streamNotFoundMessage } from '../wire/read-messages.js';
import { followEvents } from './follow.js';
import { outgoing } from './outgoing.js';
import { readEvents } from './read-events.js';
import { type ReadRequest, readRequest } from './read-request.js';

type Found = 'found' | 'not found' | ServiceError;

const look = ({ rows }: ServedLog, { stream, count }: ReadRequest): Found => {
  if (stream === null) return 'found';
  const { last, tombstoned, softDeleted } = streamState(rows, stream);
  if (tombstoned) return streamDeleted(stream);
  return count !== null && (last < 0 || softDeleted) ? 'not found' : 'found';
};

/** `Streams.Read`: reads and subscriptions. */
export const readCall =
  (access: Access, log: ServedLog): handleServerStreamingCall<ReadReq, Buffer> =>
  (call) => {
    const fail = (error: ServiceError): void => void call.emit('error', error);
    const serve = async (request: ReadRequest): Promise<void> => {
      const out = outgoing(call);
      const found = look(log, request);
      if (found === 'not found') await out.send(streamNotFoundMessage(request.stream ?? ''));
      else if (found !== 'found') return fail(found);
      else if (request.count === null) await followEvents(log, request, out);
      else await readEvents(log, request, out);
      call.end();
    };
    const refusal = access.refusal(call.metadata, 'read');
    if (refusal !== null) return fail(refusal);
    const request = readRequest(call.request, log.behaviour.positions);
    if (E.isLeft(request)) return fail(request.left);
    void serve(request.right).catch((cause: unknown) => fail(isAnswer(cause) ? cause : unavailable()));
  };
