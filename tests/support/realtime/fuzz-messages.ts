import { clientFrame, closing, opcodes } from './client-frames.js';
import { mutatedText, pick } from './mutated.js';

/** What the service must do after a message: keep the socket open, close it with a code (null: no code), or either. */
export type Expected = 'open' | 'anything' | { readonly closes: number | null };

export interface FuzzMessage {
  readonly bytes: Buffer;
  readonly expected: Expected;
  /** The number of messages and pings in it. The service allows a hundred between two pings of its own. */
  readonly count: number;
}

type Random = () => number;

const largest = 16 * 1_024;
const upTo = (most: number, random: Random): number => Math.floor(random() * (most + 1));
/** Mostly short, sometimes as long as permitted. */
const randomLength = (random: Random): number => upTo(Math.floor(largest * random() ** 6), random);
const randomBytes = (length: number, random: Random): Buffer =>
  Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));

const texts = [
  '{"type":"ping"}',
  '{"type":"end","session_id":"01900000-0000-7000-8000-000000000000"}',
  '{"type":"offer","sdp":"v=0\\r\\n"}',
  '{"type":"result","seq":1,"kind":"voice_activity","start":0,"end":0.25,"speaking":true,"level_dbfs":-20.5}',
  '{"candidate":"candidate:1 1 udp 1 192.0.2.1 9 typ host"}',
  '[]',
  'null',
  '',
];

const mutatedJson = (random: Random): string => {
  let text = pick(texts, random, '');
  for (let left = upTo(4, random); left > 0; left -= 1) text = mutatedText(text, random);
  return text
    .toWellFormed()
    .slice(0, largest / 4)
    .toWellFormed();
};

const invalidSequences = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x28, 0xa1],
  [0x80],
];
const invalidUtf8 = (random: Random): Buffer =>
  Buffer.concat([
    Buffer.from(mutatedJson(random)),
    Buffer.from(pick(invalidSequences, random, [0xff])),
    Buffer.from('x'),
  ]);

const staysOpen = (bytes: Buffer, count = 1): FuzzMessage => ({ bytes, expected: 'open', count });
const closes = (code: number | null, bytes: Buffer): FuzzMessage => ({ bytes, expected: { closes: code }, count: 1 });
const text = (payload: Buffer): Buffer => clientFrame({ opcode: opcodes.text, payload });

/** A fragmented message, with some empty fragments and with pings in between. */
const fragments = (opcode: number, payload: Buffer, random: Random): FuzzMessage => {
  const pieces = 2 + upTo(6, random);
  const cuts = Array.from({ length: pieces - 1 }, () => upTo(payload.length, random)).sort((a, b) => a - b);
  let count = 1;
  const frames = [0, ...cuts].flatMap((from, at) => {
    const piece = clientFrame({
      opcode: at === 0 ? opcode : opcodes.more,
      payload: payload.subarray(from, cuts[at] ?? payload.length),
      final: at === pieces - 1,
    });
    if (at === 0 || random() < 0.7) return [piece];
    count += 1;
    return [clientFrame({ opcode: opcodes.ping, payload: randomBytes(upTo(125, random), random) }), piece];
  });
  return staysOpen(Buffer.concat(frames), count);
};

const tooLarge = (random: Random): Buffer => {
  const way = random();
  if (way < 0.5) {
    const announced = BigInt(largest + 1) + BigInt(Math.floor(random() * 2 ** (1 + upTo(52, random))));
    return clientFrame({ opcode: opcodes.binary, announced });
  }
  const payload = Buffer.alloc(largest + 1 + upTo(way < 0.55 ? 500_000 : 5_000, random), 'x');
  return way < 0.8 ? text(payload) : fragments(opcodes.binary, payload, random).bytes;
};

const small = (random: Random): Buffer => randomBytes(upTo(100, random), random);

/** Frames that no client may send (RFC 6455, 5). */
const forbidden: readonly ((random: Random) => Buffer)[] = [
  (random) => clientFrame({ opcode: opcodes.text, reserved: 1 + upTo(6, random), payload: Buffer.from('x') }),
  (random) => clientFrame({ opcode: pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15], random, 3), payload: small(random) }),
  (random) => clientFrame({ opcode: opcodes.text, masked: false, payload: Buffer.from(mutatedJson(random)) }),
  (random) => clientFrame({ opcode: opcodes.more, payload: small(random), final: random() < 0.5 }),
  (random) => clientFrame({ opcode: pick([8, 9, 10], random, 9), payload: small(random), final: false }),
  (random) =>
    clientFrame({ opcode: pick([8, 9, 10], random, 9), payload: randomBytes(126 + upTo(400, random), random) }),
  (random) =>
    Buffer.concat([
      clientFrame({ opcode: opcodes.text, payload: Buffer.from('begun'), final: false }),
      clientFrame({ opcode: opcodes.binary, payload: small(random) }),
    ]),
  () => clientFrame({ opcode: opcodes.close, payload: Buffer.from([3]) }),
  (random) =>
    clientFrame({
      opcode: opcodes.close,
      payload: closing(pick([0, 999, 1004, 1005, 1006, 1015, 2999, 5000], random, 0)),
    }),
];

const closeFrame = (random: Random): FuzzMessage => {
  const code = pick([1000, 1001, 1002, 1003, 1007, 1011, 3000, 4000, 4404, 4999], random, 1000);
  if (random() < 0.2) return closes(null, clientFrame({ opcode: opcodes.close }));
  const payload = closing(code, mutatedJson(random).slice(0, 30).toWellFormed());
  return closes(code, clientFrame({ opcode: opcodes.close, payload }));
};

/** A frame with some of its bytes changed, removed or inserted; or random bytes. */
const corruptedFrame = (random: Random): Buffer => {
  if (random() < 0.2) return randomBytes(upTo(400, random), random);
  const payload = random() < 0.5 ? Buffer.from(mutatedJson(random)) : small(random);
  let bytes = clientFrame({ opcode: pick([1, 2, 8, 9, 10], random, 1), payload });
  for (let left = 1 + upTo(3, random); left > 0; left -= 1) {
    /* Most changes are in the header, which matters most. */
    const at = random() < 0.7 ? upTo(Math.min(14, bytes.length), random) : upTo(bytes.length, random);
    const put = random() < 0.7 ? randomBytes(1, random) : small(random);
    bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + (random() < 0.6 ? put.length : 0))]);
    if (random() < 0.1) bytes = bytes.subarray(0, upTo(bytes.length, random));
  }
  return bytes;
};

const flood = (random: Random): Buffer =>
  Buffer.concat(
    Array.from({ length: 120 }, () =>
      clientFrame({ opcode: pick([1, 2, 9], random, 1), payload: Buffer.from(random() < 0.5 ? '{}' : '') }),
    ),
  );

const kinds: readonly (readonly [share: number, make: (random: Random) => FuzzMessage])[] = [
  [30, (random) => staysOpen(text(Buffer.from(mutatedJson(random))))],
  [
    20,
    (random) => staysOpen(clientFrame({ opcode: opcodes.binary, payload: randomBytes(randomLength(random), random) })),
  ],
  [20, (random) => fragments(opcodes.text, Buffer.from(mutatedJson(random)), random)],
  [5, (random) => staysOpen(clientFrame({ opcode: opcodes.pong, payload: small(random) }))],
  [3, (random) => closes(1007, text(invalidUtf8(random)))],
  [2, (random) => closes(1007, fragments(opcodes.text, invalidUtf8(random), random).bytes)],
  [4, (random) => closes(1009, tooLarge(random))],
  [6, (random) => closes(1002, pick(forbidden, random, () => Buffer.alloc(1))(random))],
  [2, closeFrame],
  [1, (random) => closes(1008, flood(random))],
  [7, (random) => ({ bytes: corruptedFrame(random), expected: 'anything', count: 1 })],
];

const shares = kinds.reduce((sum, [share]) => sum + share, 0);

/** A random message to a results socket, valid or malformed. */
export const fuzzMessage = (random: Random): FuzzMessage => {
  let at = random() * shares;
  const [, make] = kinds.find(([share]) => (at -= share) < 0) ?? [0, closeFrame];
  return make(random);
};
