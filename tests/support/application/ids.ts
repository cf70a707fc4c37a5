import { createHash } from 'node:crypto';
import type { Ids } from '../../../application/ports/ids.js';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

const uuidOf = (text: string): string => {
  const hex = hash(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** Ids that are the same in every run of a test: the n-th of a seed. */
export const deterministicIds = (seed: string): Ids => {
  let made = 0;
  const next = (): string => `${seed} ${(made += 1)}`;
  return {
    random: () => uuidOf(next()),
    derived: (cause, name) => uuidOf(`${cause}/${name}`),
    digest: hash,
    secret: () => hash(`secret ${next()}`),
    token: () => hash(`token ${next()}`),
  };
};
