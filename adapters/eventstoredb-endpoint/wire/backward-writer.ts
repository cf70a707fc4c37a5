/**
 * Writes a protocol buffer from its end to its beginning, so that the length of each part is known when its prefix is
 * written. Fields must be written in reverse order.
 */
export interface BackwardWriter {
  /** The current place, to be passed to `end`. */
  readonly mark: () => number;
  /** Closes the part that began at a mark, as a field with this number. */
  readonly end: (field: number, mark: number) => void;
  /** A bigint is written as 64 bits. */
  readonly number: (field: number, value: number | bigint) => void;
  readonly text: (field: number, value: string) => void;
  readonly bytes: (field: number, value: Uint8Array) => void;
  /** Bytes that already are a complete field. */
  readonly raw: (value: Uint8Array) => void;
  /** Returns what was written since the last call; the writer is then empty. */
  readonly take: () => Buffer;
}

const lengthDelimited = 2;
const firstCapacity = 1 << 16;

/** The greatest revision of the protocol, which exceeds JavaScript's safe integers. */
const greatest = Buffer.from('ffffffffffffffff7f', 'hex');

const varintLength = (value: number): number => {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length += 1;
  return length;
};

/** An unsigned 64-bit integer in the encoding of protocol buffers. */
const varintOf = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Buffer.from([...bytes, Number(rest)]);
};

/** A buffer that fills from its end and grows when necessary. */
const createBackwardBuffer = () => {
  let buffer = Buffer.allocUnsafe(firstCapacity);
  let at = buffer.length;
  const grow = (bytes: number): void => {
    const grown = Buffer.allocUnsafe(2 * (buffer.length + bytes));
    const moved = grown.length - (buffer.length - at);
    buffer.copy(grown, moved, at);
    at = moved;
    buffer = grown;
  };
  const reserve = (bytes: number): void => {
    if (at < bytes) grow(bytes);
    at -= bytes;
  };
  return {
    /** Counted from the end, because growing moves the content. */
    mark: (): number => buffer.length - at,
    varint: (value: number): void => {
      reserve(varintLength(value));
      let rest = value;
      let index = at;
      for (; rest >= 128; rest = Math.floor(rest / 128)) {
        buffer[index] = (rest % 128) | 128;
        index += 1;
      }
      buffer[index] = rest;
    },
    raw: (value: Uint8Array): void => {
      reserve(value.length);
      buffer.set(value, at);
    },
    /** Returns the length in bytes. */
    text: (value: string): number => {
      const length = Buffer.byteLength(value);
      reserve(length);
      return buffer.write(value, at);
    },
    take: (): Buffer => {
      const taken = Buffer.from(buffer.subarray(at));
      buffer = buffer.length > 16 * firstCapacity ? Buffer.allocUnsafe(firstCapacity) : buffer;
      at = buffer.length;
      return taken;
    },
  };
};

/** A reusable writer. `Number.MAX_SAFE_INTEGER` stands for the greatest revision of the protocol. */
export const createBackwardWriter = (): BackwardWriter => {
  const { mark, varint, raw, text, take } = createBackwardBuffer();
  const prefix = (field: number, length: number): void => {
    varint(length);
    varint(field * 8 + lengthDelimited);
  };
  return {
    mark,
    end: (field, from) => prefix(field, mark() - from),
    number: (field, value) => {
      if (value === 0) return;
      if (typeof value === 'bigint') raw(varintOf(value));
      else if (value === Number.MAX_SAFE_INTEGER) raw(greatest);
      else varint(value);
      varint(field * 8);
    },
    text: (field, value) => prefix(field, text(value)),
    bytes: (field, value) => {
      raw(value);
      prefix(field, value.length);
    },
    raw,
    take,
  };
};
