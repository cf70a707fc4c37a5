/** WebSocket frames of a client (RFC 6455, 5.2), valid and invalid. */

export const opcodes = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

interface Frame {
  readonly opcode: number;
  readonly payload?: Uint8Array;
  readonly final?: boolean;
  /** The three reserved bits. */
  readonly reserved?: number;
  readonly masked?: boolean;
  /** The length in the header, if it differs from the payload's. */
  readonly announced?: bigint;
}

const lengthOf = (length: bigint): readonly [short: number, long: Buffer] => {
  if (length < 126n) return [Number(length), Buffer.alloc(0)];
  if (length < 65_536n) return [126, Buffer.from([Number(length >> 8n), Number(length & 255n)])];
  const long = Buffer.alloc(8);
  long.writeBigUInt64BE(length);
  return [127, long];
};

const mask = Buffer.from([0x5a, 0xc3, 0x17, 0x8e]);

export const clientFrame = ({
  opcode,
  payload = new Uint8Array(0),
  final = true,
  reserved = 0,
  masked = true,
  announced = BigInt(payload.length),
}: Frame): Buffer => {
  const [short, long] = lengthOf(announced);
  const head = Buffer.from([(final ? 128 : 0) | (reserved << 4) | opcode, (masked ? 128 : 0) | short]);
  if (!masked) return Buffer.concat([head, long, payload]);
  const hidden = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([head, long, mask, hidden]);
};

interface ServerFrame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** Splits received bytes into complete frames of a server and the rest. */
export const serverFrames = (bytes: Buffer): { readonly frames: readonly ServerFrame[]; readonly rest: Buffer } => {
  const frames: ServerFrame[] = [];
  let at = 0;
  for (;;) {
    const rest = bytes.subarray(at);
    const short = rest[1] ?? 0;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < head) return { frames, rest };
    const length = short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < head + length) return { frames, rest };
    frames.push({ opcode: (rest[0] ?? 0) & 15, payload: rest.subarray(head, head + length) });
    at += head + length;
  }
};
