import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';
import { inflateSync } from 'fflate';
import type { Json, JsonObject } from '../../../domain/kernel/json.js';
import { commonText } from './common-text.js';
import { lz4 } from './lz4.js';
import { dataOfShaped, shapedData } from './shaped-data.js';

/** Texts from this length on, in bytes, are compressed: shorter ones hardly become shorter. */
const worthCompressing = 100;

/**
 * How many times longer a text may be than its compressed form: readers that ask for a number of stored bytes are given
 * no more than this many times as many in clear. What could be compressed further is stored as it is. A short text may
 * be: it is stored with metadata that is not compressed.
 */
const mostExpansion = 8;
/** The longest text, in bytes, that counts as short. */
const short = 4_096;

/**
 * The first byte tells how data was written: as its JSON is, deflated, deflated as short texts were once, by LZ4, or by
 * shapes, as most is.
 */
const [plain, deflated, deflatedShort, lz4Short, shaped] = [0, 1, 2, 3, 4];

const dictionary = Buffer.from(commonText);
const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
const forLong = { level: constants.Z_BEST_SPEED, dictionary };
/** zlib takes longer to get ready than LZ4 takes for all of a short text. */
const { compressed, expanded } = lz4(dictionary, short);

const inForm = (form: number, content: Uint8Array): Buffer => {
  const bytes = Buffer.allocUnsafe(1 + content.length);
  bytes[0] = form;
  bytes.set(content, 1);
  return bytes;
};

/** The shorter of a text and its compressed form. */
const shorter = (text: Buffer, form: number, less: Uint8Array): Buffer =>
  less.length < text.length && (text.length <= short || less.length * mostExpansion >= text.length)
    ? inForm(form, less)
    : inForm(plain, text);

const bytesOfJson = (data: JsonObject): Buffer => Buffer.from(JSON.stringify(data));

const packedText = (text: Buffer): Buffer => {
  if (text.length < worthCompressing) return inForm(plain, text);
  return text.length <= short
    ? shorter(text, lz4Short, compressed(text))
    : shorter(text, deflated, deflateRawSync(text, forLong));
};

/** Data in fewer bytes than its JSON has, where that is worth it; it is there until the next call. */
const packed = (data: JsonObject): Buffer => shapedData(shaped, data) ?? packedText(bytesOfJson(data));

/** The same for data that is long, beside the event loop. */
const packedLater = async (data: JsonObject): Promise<Buffer> => {
  const text = bytesOfJson(data);
  return shorter(text, deflated, await deflate(text, forLong));
};

/** What a short text is inflated into: one after the other. */
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

/** The data of what was packed; throws on anything else. */
const unpacked = (bytes: Buffer): Json => (bytes[0] === shaped ? dataOfShaped(bytes) : parse(textOf(bytes)));

const algorithm = 'aes-256-gcm';
const [nonceLength, tagLength] = [12, 16];
const options = { authTagLength: tagLength };

/** Nonces are drawn for many events at once: asking the system for each costs as much as the cipher. */
const pool = Buffer.alloc(4_096 * nonceLength);
let used = pool.length;

/** A nonce that nobody has had; it is there until the next one is asked for. */
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

/** What is written for one event after the other: to make a buffer for each takes longer than to encrypt it. */
const [bound, stored] = [Buffer.alloc(2_048), Buffer.alloc(8_192)];

/** What is made of each length once, and not for each event. */
const ofEachLength = <Made>(longest: number, make: (length: number) => Made): ((length: number) => Made) => {
  const made: Array<Made | undefined> = Array.from({ length: longest + 1 }, () => undefined);
  return (length) => (made[length] ??= make(length));
};
const boundBytes = ofEachLength(bound.length, (length) => bound.subarray(0, length));
const mostOfUtf8 = 3;

const bytesOf = ({ stream, id, type }: Binding): Buffer => {
  const text = `${stream}\n${id}\n${type}`;
  return text.length * mostOfUtf8 <= bound.length ? boundBytes(bound.write(text)) : Buffer.from(text);
};

/** The key of an event that tells of several: it is there for as long as each of theirs is. */
export const joinedKey = (keys: ReadonlyArray<Uint8Array>): Uint8Array =>
  keys.reduce((joined, key) => createHmac('sha256', joined).update(key).digest());

const sealed = (bytes: Buffer, key: Uint8Array, binding: Binding): string => {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(bytesOf(binding));
  const content = cipher.update(bytes);
  // They are written into again and again: what is erased later must not stay there until then.
  bytes.fill(0);
  // All of it is there by now: what is left is to make the tag.
  cipher.final();
  return Buffer.concat([nonce, content, cipher.getAuthTag()]).toString('base64');
};

/** Data as it is stored, in base64: nonce, ciphertext, tag. */
export const sealText = (data: JsonObject, key: Uint8Array, binding: Binding): string =>
  sealed(packed(data), key, binding);

/** The same for data that is long, which is compressed beside the event loop. */
export const sealLongText = async (data: JsonObject, key: Uint8Array, binding: Binding): Promise<string> =>
  sealed(await packedLater(data), key, binding);

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
const storedParts = ofEachLength(stored.length, (length) => partsIn(stored, length));

/** What a text holds; null for one that is too short. It is there until the next one is taken apart. */
const partsOf = (text: string): Parts | null => {
  if (text.length <= stored.length) return storedParts(stored.write(text, 'base64'));
  const bytes = Buffer.from(text, 'base64');
  return partsIn(bytes, bytes.length);
};

/** Null: this is not the key, or the data is not that of this event. */
export const openText = (text: string, key: Uint8Array, binding: Binding): Json => {
  const parts = partsOf(text);
  if (parts === null) return null;
  try {
    const cipher = createDecipheriv(algorithm, key, parts.nonce, options)
      .setAAD(bytesOf(binding))
      .setAuthTag(parts.tag);
    const content = cipher.update(parts.content);
    // All of the text is there by now: what is left is to check the tag.
    cipher.final();
    return unpacked(content);
  } catch {
    return null;
  }
};
