import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, scryptSync } from 'node:crypto';
import { keyLength } from '../../application/ports/key-vault.js';

const [nonceLength, tagLength] = [12, 16];
/** The length of a wrapped key. */
export const wrappedLength = nonceLength + keyLength + tagLength;

/**
 * Salt lengths for generated secrets, which cannot be guessed, and for chosen ones, whose key derivation is made slow.
 */
const saltLengths = { made: 32, chosen: 16 };

/** Whether a secret has the form of a generated one: 32 bytes in base64. */
const isMade = (secret: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(secret);

export const saltFor = (secret: string): Buffer => randomBytes(isMade(secret) ? saltLengths.made : saltLengths.chosen);

/** Derives the wrapping key from a secret; the length of the salt tells which derivation to use. */
export const wrappingKey = (secret: string, salt: Uint8Array): Buffer =>
  salt.length === saltLengths.made
    ? Buffer.from(hkdfSync('sha256', secret, salt, 'media-analysis key vault', 32))
    : scryptSync(secret, salt, 32, { N: 16_384, r: 8, p: 1 });

/** Encrypts bytes, bound to the name under which they are stored. */
export const wrap = (key: Uint8Array, name: string, bytes: Uint8Array): Buffer => {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
};

/** Null when the bytes were not encrypted with this key under this name, or were changed. */
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
