import { MaxAppendSizeExceededError, WrongExpectedVersionError } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { BatchAnswer, Success } from './batch-answer.js';
import type { BatchRequest } from './batch-request.js';

/** Appends that share one call to the server. */
export interface BatchCall {
  /** Rejects with the server's error, with the cause that ended the call, or after `within_ms`. */
  readonly append: (request: BatchRequest, within_ms: number) => Promise<Success>;
}

interface Pending {
  readonly resolve: (answer: Success) => void;
  readonly reject: (cause: unknown) => void;
}

/** The error with which a call of its own would have ended. */
const errorOf = (refusal: BatchAppendResp): Error => {
  const status = refusal.getError();
  const stream = Buffer.from(refusal.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
  const detail = status?.getDetails();
  const kind = detail?.getTypeUrl().split('.').at(-1) ?? '';
  if (kind === 'WrongExpectedVersion' && detail !== undefined) {
    const details = shared.WrongExpectedVersion.deserializeBinary(detail.getValue_asU8());
    return WrongExpectedVersionError.fromWrongExpectedVersion(details, stream);
  }
  if (kind === 'MaximumAppendSizeExceeded' && detail !== undefined) {
    const details = shared.MaximumAppendSizeExceeded.deserializeBinary(detail.getValue_asU8());
    return MaxAppendSizeExceededError.fromMaxAppendSize(details.getMaxappendsize());
  }
  const message = `${status?.getCode()} ${kind}: ${status?.getMessage()}`;
  return Object.assign(new Error(message), { code: status?.getCode() });
};

/**
 * Appends over one call. When the call ends, only its own pending appends are rejected; their outcome is unknown and
 * they may be sent again with the same ids. The client's own batch append shares pending appends between all calls, so
 * that the end of one call rejects the appends of others.
 */
export const batchCall = (call: ClientDuplexStream<Buffer, BatchAnswer>): BatchCall => {
  const pending = new Map<string, Pending>();
  let over: { readonly cause: unknown } | null = null;
  const end = (cause: unknown): void => {
    over ??= { cause };
    const waiting = [...pending.values()];
    pending.clear();
    waiting.forEach(({ reject }) => reject(cause));
  };
  call.on('data', ({ id, outcome }: BatchAnswer) => {
    const waiting = pending.get(id);
    pending.delete(id);
    if ('revision' in outcome) waiting?.resolve(outcome);
    else waiting?.reject(errorOf(outcome));
  });
  call.on('error', end);
  call.on('end', () => end(new Error('the server ended the call of appends')));
  return {
    append: ({ id, message }, within_ms) =>
      new Promise((resolve, reject) => {
        if (over !== null) return reject(over.cause);
        const late = setTimeout(() => {
          pending.delete(id);
          reject(new Error(`no answer within ${Math.round(within_ms)} ms`));
        }, within_ms);
        pending.set(id, {
          resolve: (answer) => {
            clearTimeout(late);
            resolve(answer);
          },
          reject: (cause) => {
            clearTimeout(late);
            reject(cause);
          },
        });
        call.write(message);
      }),
  };
};
