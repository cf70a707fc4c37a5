import sharedPb, { type UUID } from '@eventstore/db-client/generated/shared_pb.js';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const half = (bits: string): string => BigInt.asUintN(64, BigInt(bits)).toString(16).padStart(16, '0');

/** A UUID in lower case, from either of its two forms; null if it is invalid. */
export const readUuid = (uuid: UUID | undefined): string | null => {
  const structured = uuid?.getStructured();
  const text =
    structured === undefined
      ? uuid?.getString().toLowerCase()
      : `${half(structured.getMostSignificantBits())}${half(structured.getLeastSignificantBits())}`.replace(
          /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
          '$1-$2-$3-$4-$5',
        );
  return text !== undefined && pattern.test(text) ? text : null;
};

/** The bytes of a UUID message as two signed integers, the form that clients may request. */
export const structuredUuid = (text: string): Uint8Array => {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  const structured = new sharedPb.UUID.Structured();
  structured.setMostSignificantBits(String(bytes.readBigInt64BE(0)));
  structured.setLeastSignificantBits(String(bytes.readBigInt64BE(8)));
  return new sharedPb.UUID().setStructured(structured).serializeBinary();
};
