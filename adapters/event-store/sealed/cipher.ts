import { createCipheriv, createDecipheriv, createHmac, randomFillSync } from 'node:crypto';
import type { Json, JsonObject } from '../../../domain/kernel/json.js';
import { packed, packedLater, unpacked } from './packing.js';

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
export interface Binding {
  readonly stream: string;
  readonly id: string;
  readonly type: string;
}

const bytesOf = ({ stream, id, type }: Binding): Buffer => Buffer.from(`${stream}\n${id}\n${type}`);

const bytesOfJson = (data: JsonObject): Buffer => Buffer.from(JSON.stringify(data));

const parse: (text: string) => Json = JSON.parse;

/** The key of an event that tells of several: it is there for as long as each of theirs is. */
export const joinedKey = (keys: ReadonlyArray<Uint8Array>): Uint8Array =>
  keys.reduce((joined, key) => createHmac('sha256', joined).update(key).digest());

const sealed = (bytes: Buffer, key: Uint8Array, binding: Binding): string => {
  const nonce = nextNonce();
  const cipher = createCipheriv(algorithm, key, nonce, options).setAAD(bytesOf(binding));
  const content = cipher.update(bytes);
  // All of it is there by now: what is left is to make the tag.
  cipher.final();
  return Buffer.concat([nonce, content, cipher.getAuthTag()]).toString('base64');
};

/** Data as it is stored, in base64: nonce, ciphertext, tag. */
export const sealText = (data: JsonObject, key: Uint8Array, binding: Binding): string =>
  sealed(packed(bytesOfJson(data)), key, binding);

/** The same for data that is long, which is compressed beside the event loop. */
export const sealLongText = async (data: JsonObject, key: Uint8Array, binding: Binding): Promise<string> =>
  sealed(await packedLater(bytesOfJson(data)), key, binding);

/** What is stored is read into this, one after the other, unless it is longer. */
const stored = Buffer.alloc(8_192);

const bytesOfStored = (text: string): Buffer =>
  text.length <= stored.length ? stored.subarray(0, stored.write(text, 'base64')) : Buffer.from(text, 'base64');

/** Null: this is not the key, or the data is not that of this event. */
export const openText = (text: string, key: Uint8Array, binding: Binding): Json => {
  const bytes = bytesOfStored(text);
  if (bytes.length < nonceLength + tagLength) return null;
  try {
    const cipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceLength), options)
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
