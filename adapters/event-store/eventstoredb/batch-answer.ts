import streams from '@eventstore/db-client/generated/streams_pb.js';
import { exactInteger, readFields } from './protobuf.js';

type Refusal = InstanceType<typeof streams.BatchAppendResp>;

/** The result of an append; the position is null if the server does not return it. */
export interface Success {
  readonly revision: number;
  readonly commit: number | bigint | null;
}

/** The answer to one of the appends on a shared call; `id` is that of the request. */
export interface BatchAnswer {
  readonly id: string;
  /** A refusal is the server's message, unparsed. */
  readonly outcome: Success | Refusal;
}

const half = (bits: number | bigint): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');

/** `UUID`: servers may send the id as two integers. */
const idIn = (bytes: Buffer, from: number, to: number): string => {
  let text = '';
  let two: readonly [number | bigint, number | bigint] = [0, 0];
  readFields(bytes, from, to, (field, _, start, end) => {
    if (field === 2) text = bytes.toString('latin1', start, end);
    else if (field === 1)
      readFields(bytes, start, end, (which, value, first, last) => {
        const bits = exactInteger(bytes, value, first, last);
        two = which === 1 ? [bits, two[1]] : [two[0], bits];
      });
  });
  if (text !== '') return text;
  return two
    .map(half)
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** `BatchAppendResp.Success` */
const successIn = (bytes: Buffer, from: number, to: number): Success => {
  let revision = -1;
  let commit: Success['commit'] = null;
  readFields(bytes, from, to, (field, value, start, end) => {
    if (field === 1) revision = value;
    else if (field === 3) {
      commit = 0;
      readFields(bytes, start, end, (inner, position, first, last) => {
        if (inner === 1) commit = exactInteger(bytes, position, first, last);
      });
    }
  });
  return { revision, commit };
};

/** Parses a message of the server. Refusals are rare and are parsed by the client's own class. */
export const batchAnswerOf = (bytes: Buffer): BatchAnswer => {
  let id = '';
  let outcome: BatchAnswer['outcome'] | null = null;
  readFields(bytes, 0, bytes.length, (field, _, from, to) => {
    if (field === 1) id = idIn(bytes, from, to);
    else if (field === 3) outcome = successIn(bytes, from, to);
  });
  return { id, outcome: outcome ?? streams.BatchAppendResp.deserializeBinary(bytes) };
};
