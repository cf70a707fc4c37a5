import { isUtf8 } from 'node:buffer';

/**
 * The text of a column that was selected as a BLOB; null when it is not valid UTF-8, or no BLOB. Texts of a file are read
 * this way because libsql ends the whole process when a text is not valid UTF-8.
 */
export const utf8Of = (column: unknown): string | null =>
  Buffer.isBuffer(column) && isUtf8(column) ? column.toString('utf8') : null;
