import { MaxAppendSizeExceededError, WrongExpectedVersionError } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { BatchAnswer, Success } from './batch-answer.js';
import type { BatchRequest } from './batch-request.js';

/** Appends that share one call to the server. */
export interface BatchCall {
  /** Rejects with what the server says, or with what ended the call, or after so many milliseconds. */
  readonly append: (request: BatchRequest, within_ms: number) => Promise<Success>;
}

interface Pending {
  readonly resolve: (answer: Success) => void;
  readonly reject: (cause: unknown) => void;
}

/** The error that a call of its own would have ended with. */
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
 * Appends over one call. What is under way on this call, and nothing else, ends with it: its outcome is not known then,
 * and the same ids may be sent again. The client's own batch append keeps what is under way on all of its calls in one
 * place, so that the end of one rejects what others wait for.
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
