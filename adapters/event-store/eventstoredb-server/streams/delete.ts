import type { DeleteReq, DeleteResp, TombstoneReq, TombstoneResp } from '@eventstore/db-client/generated/streams_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { Metadata, ServiceError, handleUnaryCall } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import type { Access } from '../access.js';
import type { Positions } from '../behaviour.js';
import { accessDenied, invalid, streamDeleted, unavailable, wrongExpectedVersion } from '../errors.js';
import type { Expected } from '../log/append.js';
import { type DeleteStream, softDelete, tombstoneStream } from '../log/delete-stream.js';
import type { ServedLog } from '../log/open-log.js';
import { expectedOf, placed } from './append.js';
import { streamName } from './stream-name.js';

/** How errors of this protocol write an expected revision that is no number. */
const written = (expected: Expected): number => {
  switch (expected) {
    case 'no_stream':
      return -1;
    case 'any':
      return -2;
    case 'stream_exists':
      return -4;
    default:
      return expected;
  }
};

/** Resolves with the row of the event that says so; 0 when there was nothing to say. */
type Deletion = (
  metadata: Metadata,
  options: DeleteReq.Options | TombstoneReq.Options | undefined,
) => Promise<E.Either<ServiceError, number>>;

const deletion =
  (access: Access, { write }: ServedLog, run: DeleteStream): Deletion =>
  async (metadata, options) => {
    const refusal = access.refusal(metadata, 'write');
    if (refusal !== null) return E.left(refusal);
    const stream = streamName(options?.getStreamIdentifier());
    const expected = options === undefined ? null : expectedOf(options);
    if (stream === null || expected === null)
      return E.left(invalid('a deletion names a stream and the revision that it expects'));
    const reason = access.refuseAppend(stream, []);
    if (reason !== null) return E.left(accessDenied(reason));
    const outcome = await write({
      run: () => run(stream, expected),
      characters: 0,
      newestRow: (done) => (done._tag === 'Appended' ? done.row : 0),
    });
    if (E.isLeft(outcome)) return E.left(unavailable());
    switch (outcome.right._tag) {
      case 'Appended':
        return E.right(outcome.right.row);
      case 'WrongExpectedVersion':
        return E.left(wrongExpectedVersion(stream, written(expected), outcome.right.actual));
      case 'StreamDeleted':
        return E.left(streamDeleted(stream));
    }
  };

const deleted = (positions: Positions, row: number): DeleteResp => {
  const response = new streamsPb.DeleteResp();
  if (row === 0) return response.setNoPosition(new sharedPb.Empty());
  return response.setPosition(placed(new streamsPb.DeleteResp.Position(), positions.of(row)));
};

/** `Streams.Delete`: the stream may come back. */
export const deleteCall = (access: Access, log: ServedLog): handleUnaryCall<DeleteReq, DeleteResp> => {
  const run = deletion(access, log, softDelete(log.rows, log.appender));
  return ({ metadata, request }, callback) =>
    void run(metadata, request.getOptions()).then(
      E.match(callback, (row) => callback(null, deleted(log.behaviour.positions, row))),
    );
};

const tombstoned = (positions: Positions, row: number): TombstoneResp =>
  new streamsPb.TombstoneResp().setPosition(placed(new streamsPb.TombstoneResp.Position(), positions.of(row)));

/** `Streams.Tombstone`: the stream is gone for ever. */
export const tombstoneCall = (access: Access, log: ServedLog): handleUnaryCall<TombstoneReq, TombstoneResp> => {
  const run = deletion(access, log, tombstoneStream(log.rows, log.appender));
  return ({ metadata, request }, callback) =>
    void run(metadata, request.getOptions()).then(
      E.match(callback, (row) => callback(null, tombstoned(log.behaviour.positions, row))),
    );
};
