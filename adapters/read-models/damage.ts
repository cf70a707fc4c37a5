import * as t from 'io-ts';

/** The file contains something that the read models cannot have written; it has to be rebuilt from the log. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
}

const damageCodes = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];

/** Whether an error means that the file is damaged. */
export const isDamage = (cause: unknown): boolean =>
  cause instanceof DamagedFile ||
  (cause instanceof Error &&
    'code' in cause &&
    typeof cause.code === 'string' &&
    damageCodes.some((code) => String(cause.code).startsWith(code)));

/** A failure of a port; it contains a reason. */
const Described = t.type({ reason: t.string });

/** The reason of an error or failure, as text. */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof Error) return cause.message;
  return Described.is(cause) ? cause.reason : String(cause);
};
