import * as t from 'io-ts';

/** The file holds what these read models cannot have written; it has to be made anew from the log. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Whether something was thrown because the file is broken. */
export const isDamage = (cause: unknown): boolean =>
  cause instanceof DamagedFile ||
  (cause instanceof Error &&
    'code' in cause &&
    typeof cause.code === 'string' &&
    damageCodes.some((code) => String(cause.code).startsWith(code)));

/** A failure of a port: it says why. */
const Described = t.type({ reason: t.string });

/** Whatever was thrown, or failed, in words. */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof Error) return cause.message;
  return Described.is(cause) ? cause.reason : String(cause);
};
