import { MaxAppendSizeExceededError, WrongExpectedVersionError } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { UUID } from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { BatchRequest } from './batch-request.js';

/** What an append came to; the position is null where the server does not tell it. */
export interface BatchAnswer {
  readonly revision: number;
  readonly commit: string | null;
}

/** Appends that share one call to the server. */
export interface BatchCall {
  /** Rejects with what the server says, or with what ended the call, or after so many milliseconds. */
  readonly append: (request: BatchRequest, within_ms: number) => Promise<BatchAnswer>;
}

interface Pending {
  readonly resolve: (answer: BatchAnswer) => void;
  readonly reject: (cause: unknown) => void;
}

const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');

/** Servers may answer with the id as two numbers. */
const idOf = (uuid: UUID | undefined): string => {
  const two = uuid?.getStructured();
  if (two === undefined) return uuid?.getString() ?? '';
  const digits = `${half(two.getMostSignificantBits())}${half(two.getLeastSignificantBits())}`;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** The error that a call of its own would have ended with. */
const errorOf = (status: Status, stream: string): Error => {
  const detail = status.getDetails();
  const kind = detail?.getTypeUrl().split('.').at(-1) ?? '';
  if (kind === 'WrongExpectedVersion' && detail !== undefined) {
    const details = shared.WrongExpectedVersion.deserializeBinary(detail.getValue_asU8());
    return WrongExpectedVersionError.fromWrongExpectedVersion(details, stream);
  }
  if (kind === 'MaximumAppendSizeExceeded' && detail !== undefined) {
    const details = shared.MaximumAppendSizeExceeded.deserializeBinary(detail.getValue_asU8());
    return MaxAppendSizeExceededError.fromMaxAppendSize(details.getMaxappendsize());
  }
  const message = `${status.getCode()} ${kind}: ${status.getMessage()}`;
  return Object.assign(new Error(message), { code: status.getCode() });
};

const settle = (response: BatchAppendResp, { resolve, reject }: Pending): void => {
  const error = response.getError();
  const stream = Buffer.from(response.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
  if (error !== undefined) return reject(errorOf(error, stream));
  const success = response.getSuccess();
  const commit = success?.getPosition()?.getCommitPosition() ?? null;
  resolve({ revision: Number(success?.getCurrentRevision() ?? -1), commit });
};

/**
 * Appends over one call. What is under way on this call, and nothing else, ends with it: its outcome is not known then,
 * and the same ids may be sent again. The client's own batch append keeps what is under way on all of its calls in one
 * place, so that the end of one rejects what others wait for.
 */
export const batchCall = (call: ClientDuplexStream<BatchAppendReq, BatchAppendResp>): BatchCall => {
  const pending = new Map<string, Pending>();
  let over: { readonly cause: unknown } | null = null;
  const end = (cause: unknown): void => {
    over ??= { cause };
    const waiting = [...pending.values()];
    pending.clear();
    waiting.forEach(({ reject }) => reject(cause));
  };
  call.on('data', (response: BatchAppendResp) => {
    const id = idOf(response.getCorrelationId());
    const waiting = pending.get(id);
    pending.delete(id);
    if (waiting !== undefined) settle(response, waiting);
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
