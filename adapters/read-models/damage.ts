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

/** Whatever was thrown, in words. */
export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
