import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';
import { inflateSync } from 'fflate';
import type { Json, JsonObject } from '../../../domain/kernel/json.js';
import { commonText } from './common-text.js';
import { lz4 } from './lz4.js';
import { dataOfShaped, shapedData } from './shaped-data.js';

/** Texts of at least this many bytes are compressed; shorter ones hardly become smaller. */
const worthCompressing = 100;

/**
 * How many times longer a text may be than its compressed form. Readers that ask for a number of stored bytes then
 * receive at most this many times as many in clear. Data that would compress further is stored uncompressed. Short
 * texts are exempt, because they are stored with metadata that is not compressed.
 */
const maxExpansion = 8;
/** The maximum length of a short text, in bytes. */
const short = 4_096;

/**
 * The first byte names the form of the data: plain JSON, deflated, deflated as short texts used to be, LZ4, or shaped
 * (the usual form).
 */
const [plain, deflated, deflatedShort, lz4Short, shaped] = [0, 1, 2, 3, 4];

const dictionary = Buffer.from(commonText);
const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
const forLong = { level: constants.Z_BEST_SPEED, dictionary };
/** LZ4, because setting up zlib takes longer than compressing a whole short text with LZ4. */
const { compressed, expanded } = lz4(dictionary, short);

const inForm = (form: number, content: Uint8Array): Buffer => {
  const bytes = Buffer.allocUnsafe(1 + content.length);
  bytes[0] = form;
  bytes.set(content, 1);
  return bytes;
};

/** The shorter of a text and its compressed form. */
const shorter = (text: Buffer, form: number, less: Uint8Array): Buffer =>
  less.length < text.length && (text.length <= short || less.length * maxExpansion >= text.length)
    ? inForm(form, less)
    : inForm(plain, text);

const bytesOfJson = (data: JsonObject): Buffer => Buffer.from(JSON.stringify(data));

const packedText = (text: Buffer): Buffer => {
  if (text.length < worthCompressing) return inForm(plain, text);
  return text.length <= short
    ? shorter(text, lz4Short, compressed(text))
    : shorter(text, deflated, deflateRawSync(text, forLong));
};

/** Data in fewer bytes than its JSON, where that pays off. The returned bytes are valid until the next call. */
const packed = (data: JsonObject): Buffer => shapedData(shaped, data) ?? packedText(bytesOfJson(data));

/** The same for long data, compressed on another thread. */
const packAsync = async (data: JsonObject): Promise<Buffer> => {
  const text = bytesOfJson(data);
  return shorter(text, deflated, await deflate(text, forLong));
};

/** The buffer into which short texts are inflated, one after the other. */
const room = new Uint8Array(short);

const inflateShort = (content: Uint8Array): string => {
  const { buffer, length } = inflateSync(content, { dictionary, out: room });
  return Buffer.from(buffer, 0, length).toString('utf8');
};

const textOf = (bytes: Buffer): string => {
  if (bytes[0] === lz4Short) return expanded(bytes, 1);
  const content = bytes.subarray(1);
  if (bytes[0] === deflatedShort) return inflateShort(content);
  return (bytes[0] === deflated ? inflateRawSync(content, { dictionary }) : content).toString('utf8');
};

const parse: (text: string) => Json = JSON.parse;

/** The data that was packed; throws on anything else. */
const unpacked = (bytes: Buffer): Json => (bytes[0] === shaped ? dataOfShaped(bytes) : parse(textOf(bytes)));

const algorithm = 'aes-256-gcm';
const [nonceLength, tagLength] = [12, 16];
const options = { authTagLength: tagLength };

/** Nonces are drawn for many events at once: a system call for each would cost as much as the cipher. */
const pool = Buffer.alloc(4_096 * nonceLength);
let used = pool.length;

/** A nonce that was never used before. The returned bytes are valid until the next call. */
const nextNonce = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += nonceLength;
  return pool.subarray(used - nonceLength, used);
};

/** What an event's data is bound to: sealed data that is moved to another event cannot be opened. */
interface Binding {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
}

/** Reused for every event: allocating a buffer takes longer than encrypting. */
const [bound, stored] = [Buffer.alloc(2_048), Buffer.alloc(8_192)];

/** Caches a value for each length. */
const perLength = <Made>(maxLength: number, make: (length: number) => Made): ((length: number) => Made) => {
  const made: Array<Made | undefined> = Array.from({ length: maxLength + 1 }, () => undefined);
  return (length) => (made[length] ??= make(length));
};
const boundBytes = perLength(bound.length, (length) => bound.subarray(0, length));
const maxBytesPerCharacter = 3;

const bytesOf = ({ stream, id, type }: Binding): Buffer => {
  const text = `${stream}\n${id}\n${type}`;
  return text.length * maxBytesPerCharacter <= bound.length ? boundBytes(bound.write(text)) : Buffer.from(text);
};

/** The key for data about several subjects: it can be derived only while the key of each of them exists. */
export const joinedKey = (keys: ReadonlyArray<Uint8Array>): Uint8Array =>
  keys.reduce((joined, key) => createHmac('sha256', joined).update(key).digest());

const sealed = (bytes: Buffer, key: Uint8Array, binding: Binding): string => {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(bytesOf(binding));
  const content = cipher.update(bytes);
  // The buffers are reused: clear data must not stay in them until the next use.
  bytes.fill(0);
  // All content was encrypted already; this only computes the tag.
  cipher.final();
  return Buffer.concat([nonce, content, cipher.getAuthTag()]).toString('base64');
};

/** Data as it is stored: nonce, ciphertext and tag in base64. */
export const sealText = (data: JsonObject, key: Uint8Array, binding: Binding): string =>
  sealed(packed(data), key, binding);

/** The same for long data, which is compressed on another thread. */
export const sealLongText = async (data: JsonObject, key: Uint8Array, binding: Binding): Promise<string> =>
  sealed(await packAsync(data), key, binding);

interface Parts {
  readonly nonce: Buffer;
  readonly content: Buffer;
  readonly tag: Buffer;
}

const partsIn = (bytes: Buffer, length: number): Parts | null => {
  const end = length - tagLength;
  return end < nonceLength
    ? null
    : {
        nonce: bytes.subarray(0, nonceLength),
        content: bytes.subarray(nonceLength, end),
        tag: bytes.subarray(end, length),
      };
};
const storedParts = perLength(stored.length, (length) => partsIn(stored, length));

/** The parts of a sealed text; null for one that is too short. They are valid until the next call. */
const partsOf = (text: string): Parts | null => {
  if (text.length <= stored.length) return storedParts(stored.write(text, 'base64'));
  const bytes = Buffer.from(text, 'base64');
  return partsIn(bytes, bytes.length);
};

/** Null when this is not the key, or the data is not that of this event. */
export const openText = (text: string, key: Uint8Array, binding: Binding): Json => {
  const parts = partsOf(text);
  if (parts === null) return null;
  try {
    const cipher = createDecipheriv(algorithm, key, parts.nonce, options)
      .setAAD(bytesOf(binding))
      .setAuthTag(parts.tag);
    const content = cipher.update(parts.content);
    // All content was decrypted already; this only checks the tag.
    cipher.final();
    return unpacked(content);
  } catch {
    return null;
  }
};
