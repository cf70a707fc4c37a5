import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { v5, v7 } from 'uuid';
import type { Ids } from '../../application/ports/ids.js';

/** The namespace (RFC 9562) of ids derived from a cause. */
const namespace = '0c3a6b52-6d5e-4b43-9f4e-1f3c6f3d8a10';

/**
 * Random bytes are drawn for many ids at once: a system call for each would cost more than the rest of making an id.
 */
const pool = new Uint8Array(4_096);
const perId = 16;
let used = pool.length;

const randomOfId = (): Uint8Array => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += perId;
  return pool.subarray(used - perId, used);
};

/** Whether an id was made by `random`: those have version 7, derived ones version 5. */
export const isRandom = (id: string): boolean => id[14] === '7';

export const systemIds: Ids = {
  random: () => v7({ random: randomOfId() }),
  derived: (cause, name) => v5(`${cause}/${name}`, namespace),
  digest: (text) => createHash('sha256').update(text).digest('hex'),
  secret: () => `mak_${randomBytes(32).toString('base64url')}`,
  token: () => randomBytes(32).toString('base64url'),
};
