/*
 * A reader and writer for Protocol Buffers, as far as the messages of EventStoreDB need it:
 * https://protobuf.dev/programming-guides/encoding/
 */

const [integerKind, eightBytesKind, bytesKind, fourBytesKind] = [0, 1, 2, 5];
const kinds = 8;

/** Receives a field's number, its value if it is an integer (approximate if large), and the range of its bytes. */
type Take = (field: number, value: number, from: number, to: number) => void;

/** The end of the integer that was read last. */
let next = 0;

const integerAt = (bytes: Buffer, from: number, to: number): number => {
  let value = 0;
  let at = from;
  for (let unit = 1; ; unit *= 128) {
    const byte = bytes[at];
    if (byte === undefined || at >= to) throw new Error('a message of the event store is cut off');
    at += 1;
    value += (byte & 0x7f) * unit;
    if (byte < 0x80) break;
  }
  next = at;
  return value;
};

/** Reads the fields of a message in a range of bytes; throws on an invalid message. */
export const readFields = (bytes: Buffer, from: number, to: number, take: Take): void => {
  for (let at = from; at < to;) {
    const tag = integerAt(bytes, at, to);
    const start = next;
    const field = Math.floor(tag / kinds);
    switch (tag % kinds) {
      case integerKind: {
        const value = integerAt(bytes, start, to);
        at = next;
        take(field, value, start, at);
        break;
      }
      case eightBytesKind:
        at = start + 8;
        break;
      case bytesKind: {
        const length = integerAt(bytes, start, to);
        const content = next;
        at = content + length;
        if (at > to) throw new Error('a message of the event store is cut off');
        take(field, 0, content, at);
        break;
      }
      case fourBytesKind:
        at = start + 4;
        break;
      default:
        throw new Error('a message of the event store cannot be read');
    }
  }
};

const exactly = (bytes: Buffer, from: number, to: number): bigint =>
  bytes.subarray(from, to).reduceRight((value, byte) => (value << 7n) | BigInt(byte & 0x7f), 0n);

/** The exact integer of a field that `readFields` reported. */
export const exactInteger = (bytes: Buffer, value: number, from: number, to: number): number | bigint =>
  Number.isSafeInteger(value) ? value : exactly(bytes, from, to);

/** The text of one field of a message; empty if it is missing. */
export const textIn = (bytes: Buffer, from: number, to: number, wanted: number): string => {
  let text = '';
  readFields(bytes, from, to, (field, _, start, end) => {
    if (field === wanted) text = bytes.toString('utf8', start, end);
  });
  return text;
};

/**
 * Writes the fields of a message from the last to the first, so that the length of each part is known before its prefix
 * is written.
 */
export interface FieldWriter {
  readonly integer: (field: number, value: number) => void;
  readonly text: (field: number, value: string) => void;
  /** A nested message; `write` writes its fields, the last first. */
  readonly message: (field: number, write: () => void) => void;
}

const initialSize = 16_384;
/** A larger buffer is not kept for the next message, in bytes. */
const maxKept = 262_144;

const lengthOf = (value: number): number => {
  let bytes = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) bytes += 1;
  return bytes;
};

let room = Buffer.allocUnsafe(initialSize);
/** The number of bytes written so far, at the end of the buffer. */
let written = 0;

/** Reserves bytes in front of those already written; returns where they begin. */
const takeRoom = (bytes: number): number => {
  if (written + bytes > room.length) {
    const larger = Buffer.allocUnsafe(Math.max(room.length * 2, written + bytes));
    room.copy(larger, larger.length - written, room.length - written);
    room = larger;
  }
  written += bytes;
  return room.length - written;
};

const putInteger = (value: number): void => {
  let at = takeRoom(lengthOf(value));
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) room[at++] = (rest % 128) | 0x80;
  room[at] = rest;
};

const writer: FieldWriter = {
  integer: (field, value) => {
    putInteger(value);
    putInteger(field * kinds + integerKind);
  },
  text: (field, value) => {
    const length = Buffer.byteLength(value);
    // `room` may be another buffer from here on.
    const at = takeRoom(length);
    room.write(value, at);
    putInteger(length);
    putInteger(field * kinds + bytesKind);
  },
  message: (field, write) => {
    const before = written;
    write();
    putInteger(written - before);
    putInteger(field * kinds + bytesKind);
  },
};

/** Serialises a message; `write` writes its fields, the last first. */
export const messageOf = (write: (fields: FieldWriter) => void): Buffer => {
  written = 0;
  write(writer);
  const message = Buffer.from(room.subarray(room.length - written));
  if (room.length > maxKept) room = Buffer.allocUnsafe(initialSize);
  return message;
};
