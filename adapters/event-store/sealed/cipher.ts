import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import type { Json, JsonObject } from '../../../domain/kernel/json.js';
import { inflateSync } from 'fflate';
import { commonText } from './common-text.js';

const algorithm = 'aes-256-gcm';
const [nonceLength, tagLength] = [12, 16];

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

/** The first byte of what is sealed tells how the text was written: as it is, deflated, or deflated as short texts are. */
const [plain, deflated, deflatedShort] = [0, 1, 2];

const dictionary = Buffer.from(commonText);
const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** What zlib takes to itself for a text is most of what a short one costs. */
const forLong = { level: constants.Z_BEST_SPEED, dictionary };
const forShort = { level: 6, windowBits: 12, memLevel: 2, chunkSize: 1_024, dictionary, strategy: constants.Z_FIXED };

/** Nonces are drawn for many events at once: asking the system for each costs as much as the cipher. */
const pool = Buffer.alloc(4_096 * nonceLength);
let used = pool.length;

const nextNonce = (): Buffer => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += nonceLength;
  return Buffer.from(pool.subarray(used - nonceLength, used));
};

/** What an event's data is bound to: sealed data that is moved to another event cannot be opened. */
export interface Binding {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
}

const bytesOf = ({ stream, id, type }: Binding): Buffer => Buffer.from(`${stream}\n${id}\n${type}`);

const bytesOfJson = (data: JsonObject): Buffer => Buffer.from(JSON.stringify(data));

type Packed = readonly [form: number, content: Buffer];

/** The shorter of a text and its compressed form. */
const packed = (text: Buffer, form: number, less: Buffer): Packed =>
  less.length < text.length && (text.length <= short || less.length * mostExpansion >= text.length)
    ? [form, less]
    : [plain, text];

const packedNow = (text: Buffer): Packed => {
  if (text.length < worthCompressing) return [plain, text];
  return text.length <= short
    ? packed(text, deflatedShort, deflateRawSync(text, forShort))
    : packed(text, deflated, deflateRawSync(text, forLong));
};

/** What a short text is inflated into: one after the other. */
const room = new Uint8Array(short);

/** To read the log is to do this for each event: zlib takes several times as long to get ready for so little. */
const inflateShort = (content: Uint8Array): string => {
  const { buffer, length } = inflateSync(content, { dictionary, out: room });
  return Buffer.from(buffer, 0, length).toString('utf8');
};

const unpacked = (bytes: Buffer): string => {
  const content = bytes.subarray(1);
  if (bytes[0] === deflatedShort) return inflateShort(content);
  return (bytes[0] === deflated ? inflateRawSync(content, { dictionary }) : content).toString('utf8');
};

const parse: (text: string) => Json = JSON.parse;

/** The key of an event that tells of several: it is there for as long as each of theirs is. */
export const joinedKey = (keys: ReadonlyArray<Uint8Array>): Uint8Array =>
  keys.reduce((joined, key) => createHmac('sha256', joined).update(key).digest());

const sealed = ([form, content]: Packed, key: Uint8Array, binding: Binding): string => {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagLength }).setAAD(bytesOf(binding));
  const parts = [nonce, cipher.update(Buffer.of(form)), cipher.update(content), cipher.final(), cipher.getAuthTag()];
  return Buffer.concat(parts).toString('base64');
};

/** Data as it is stored, in base64: nonce, ciphertext, tag. */
export const sealText = (data: JsonObject, key: Uint8Array, binding: Binding): string =>
  sealed(packedNow(bytesOfJson(data)), key, binding);

/** The same for data that is long, which is compressed beside the event loop. */
export const sealLongText = async (data: JsonObject, key: Uint8Array, binding: Binding): Promise<string> => {
  const text = bytesOfJson(data);
  return sealed(packed(text, deflated, await deflate(text, forLong)), key, binding);
};

/** Null: this is not the key, or the data is not that of this event. */
export const openText = (text: string, key: Uint8Array, binding: Binding): Json => {
  const bytes = Buffer.from(text, 'base64');
  try {
    const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), { authTagLength: tagLength })
      .setAAD(bytesOf(binding))
      .setAuthTag(bytes.subarray(-tagLength));
    const content = cipher.update(bytes.subarray(nonceLength, -tagLength));
    // All of the text is there by now: what is left is to check the tag.
    cipher.final();
    return parse(unpacked(content));
  } catch {
    return null;
  }
};
