import { createHash, randomBytes } from 'node:crypto';
import { v5, v7 } from 'uuid';
import type { Ids } from '../../application/ports/ids.js';

/** The namespace (RFC 9562) of ids derived from a cause. */
const namespace = '0c3a6b52-6d5e-4b43-9f4e-1f3c6f3d8a10';

/** Whether an id was made by `random`: those have version 7, derived ones version 5. */
export const isRandom = (id: string): boolean => id[14] === '7';

export const systemIds: Ids = {
  random: () => v7(),
  derived: (cause, name) => v5(`${cause}/${name}`, namespace),
  digest: (text) => createHash('sha256').update(text).digest('hex'),
  secret: () => `mak_${randomBytes(32).toString('base64url')}`,
  token: () => randomBytes(32).toString('base64url'),
};
