import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, deflateRaw, deflateRawSync, inflateRawSync, type ZlibOptions } from 'node:zlib';
import type { Json, JsonObject } from '../../../domain/kernel/json.js';
import { commonText } from './common-text.js';

const algorithm = 'aes-256-gcm';
const [nonceLength, tagLength] = [12, 16];

/** Texts from this length on, in bytes, are worth compressing: shorter ones would cost more time than they save room. */
const worthCompressing = 1_000;

/**
 * How many times longer a text may be than its compressed form: readers that ask for a number of stored bytes are given
 * no more than this many times as many in clear. What could be compressed further is stored as it is.
 */
const mostExpansion = 8;

/** The first byte of what is sealed tells how the text was written. */
const [plain, compressed] = [0, 1];

const dictionary = Buffer.from(commonText);
const level = constants.Z_BEST_SPEED;
const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

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

/** The shorter of a text and its compressed form. */
const packed = (text: Buffer, short: Buffer): Buffer =>
  short.length < text.length && short.length * mostExpansion >= text.length
    ? Buffer.concat([Buffer.of(compressed), short])
    : Buffer.concat([Buffer.of(plain), text]);

const parse: (text: string) => Json = JSON.parse;

const unpacked = (bytes: Buffer): Json => {
  const content = bytes.subarray(1);
  return parse((bytes[0] === compressed ? inflateRawSync(content, { dictionary }) : content).toString('utf8'));
};

/** The key of an event that tells of several: it is there for as long as each of theirs is. */
export const joinedKey = (keys: ReadonlyArray<Uint8Array>): Uint8Array =>
  keys.reduce((joined, key) => createHmac('sha256', joined).update(key).digest());

const sealed = (content: Buffer, key: Uint8Array, binding: Binding): string => {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(bytesOf(binding));
  return Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()]).toString('base64');
};

/** Data as it is stored, in base64: nonce, ciphertext, tag. */
export const sealText = (data: JsonObject, key: Uint8Array, binding: Binding): string => {
  const text = bytesOfJson(data);
  const short = text.length < worthCompressing ? text : deflateRawSync(text, { level, dictionary });
  return sealed(packed(text, short), key, binding);
};

/** The same for data that is long, which is compressed beside the event loop. */
export const sealLongText = async (data: JsonObject, key: Uint8Array, binding: Binding): Promise<string> => {
  const text = bytesOfJson(data);
  return sealed(packed(text, await deflate(text, { level, dictionary })), key, binding);
};

/** Null: this is not the key, or the data is not that of this event. */
export const openText = (text: string, key: Uint8Array, binding: Binding): Json => {
  const bytes = Buffer.from(text, 'base64');
  try {
    const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength))
      .setAAD(bytesOf(binding))
      .setAuthTag(bytes.subarray(-tagLength));
    return unpacked(Buffer.concat([cipher.update(bytes.subarray(nonceLength, -tagLength)), cipher.final()]));
  } catch {
    return null;
  }
};
