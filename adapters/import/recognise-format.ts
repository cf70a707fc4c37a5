import * as E from 'fp-ts/lib/Either.js';
import type { ImportError } from './imported.js';
import { isRttmType } from './rttm.js';

/** The formats that can be imported. */
export const importFormats = ['rttm', 'ava_csv', 'asw_json'] as const;
export type ImportFormat = (typeof importFormats)[number];

const aswStart =
  /^\{\s*(?:\}|$|"[^"]*"?$|"[^"]*"\s*:\s*(?:$|\[\s*(?:$|\]|\{\s*(?:$|[^}]*"(?:time|bbox|label|eval)"))))/;

const ofLine = (line: string): ImportFormat | null => {
  if (isRttmType(line.split(/\s/, 1)[0] ?? '')) return 'rttm';
  const columns = line.split(',').length;
  if (columns >= 8 || (columns > 1 && line.includes('SPEAKING'))) return 'ava_csv';
  return null;
};

/**
 * Says by the first bytes of a file, some kilobytes or all of it, which format it has. A file of JSON must start
 * like ASW; else the first line of text that looks like RTTM or AVA-ActiveSpeaker decides, so that a broken first
 * row is reported as such. The error is for a file that looks like none of them, or is empty.
 */
export const recogniseFormat = (firstBytes: string): E.Either<ImportError, ImportFormat> => {
  const text = firstBytes.trim();
  if (text === '') return E.left({ line: null, message: 'the file is empty' });
  if (aswStart.test(text)) return E.right('asw_json');
  for (const line of /^[{[]/.test(text) ? [] : text.split('\n', 50)) {
    const format = ofLine(line.trim());
    if (format !== null) return E.right(format);
  }
  const message = 'the format is not recognised: it is neither RTTM nor AVA-ActiveSpeaker CSV nor ASW JSON';
  return E.left({ line: null, message });
};
