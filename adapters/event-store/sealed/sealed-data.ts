import type { JsonObject } from '../../../domain/kernel/json.js';

/**
 * Data as it is stored: `key` names the key, `v` the way in which it was sealed. What is opened tells its form; 2 says that
 * it may have one that versions of the service do not read which know of 1 alone.
 */
export interface SealedData {
  readonly sealed: string;
  readonly key: string;
  readonly v: 1 | 2;
}

/** Whether stored data is sealed; it is asked of each event that is read, and so without a codec. */
export const isSealed = (data: unknown): data is SealedData =>
  typeof data === 'object' &&
  data !== null &&
  'sealed' in data &&
  typeof data.sealed === 'string' &&
  'key' in data &&
  typeof data.key === 'string' &&
  'v' in data &&
  (data.v === 2 || data.v === 1);

/** What stands around the texts in the JSON of sealed data, as it is written. */
const [begin, between, ends] = ['{"sealed":"', '","key":"', { 1: '","v":1}', 2: '","v":2}' }];

/**
 * The sealed data of a JSON text in just this form, null for any other: it is found in a third of the time that the text
 * takes to be parsed. The text may be damaged, as it may have been before: then what is found does not open.
 */
export const sealedDataIn = (text: string): JsonObject | null => {
  const v = text.endsWith(ends[2]) ? 2 : 1;
  if (!text.startsWith(begin) || !text.endsWith(ends[v]) || text.includes('\\')) return null;
  const to = text.indexOf('"', begin.length);
  if (!text.startsWith(between, to)) return null;
  const key = text.slice(to + between.length, -ends[v].length);
  return key.includes('"') ? null : { sealed: text.slice(begin.length, to), key, v };
};
