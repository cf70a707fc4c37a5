import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { keyLength } from '../../application/ports/key-vault.js';

const [nonceLength, tagLength] = [12, 16];
/** How long a key is when it is wrapped. */
export const wrappedLength = nonceLength + keyLength + tagLength;

/** Of a secret that nobody can guess, and of one that somebody may have thought of: that is made slow to guess. */
const saltLengths = { made: 32, chosen: 16 };

/** 32 bytes in base64, as the service makes them. */
const isMade = (secret: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(secret);

export const saltFor = (secret: string): Buffer => randomBytes(isMade(secret) ? saltLengths.made : saltLengths.chosen);

/** The key that wraps others, made of a secret that people keep; the length of the salt says how. */
export const wrappingKey = (secret: string, salt: Uint8Array): Buffer =>
  salt.length === saltLengths.made
    ? Buffer.from(hkdfSync('sha256', secret, salt, 'media-analysis key vault', 32))
    : scryptSync(secret, salt, 32, { N: 16_384, r: 8, p: 1 });

/** Seals bytes under the name that they are kept under. */
export const wrap = (key: Uint8Array, name: string, bytes: Uint8Array): Buffer => {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
};

/** Null: they were not sealed by this key under this name, or were changed. */
export const unwrap = (key: Uint8Array, name: string, wrapped: Uint8Array): Buffer | null => {
  try {
    const cipher = createDecipheriv('aes-256-gcm', key, wrapped.subarray(0, nonceLength))
      .setAAD(Buffer.from(name))
      .setAuthTag(wrapped.subarray(-tagLength));
    return Buffer.concat([cipher.update(wrapped.subarray(nonceLength, -tagLength)), cipher.final()]);
  } catch {
    return null;
  }
};
