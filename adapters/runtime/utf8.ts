import { isUtf8 } from 'node:buffer';

/**
 * The text of a column selected as a BLOB; null when it is not a BLOB or not valid UTF-8. Texts are read this way
 * because libsql crashes the process when a text is not valid UTF-8.
 */
export const utf8Of = (column: unknown): string | null =>
  Buffer.isBuffer(column) && isUtf8(column) ? column.toString('utf8') : null;
