import * as E from 'fp-ts/lib/Either.js';
import { type ImportFormat, type JsonFormatName, type LineFormat, lineFormats } from './format-names.js';
import { type ImportError, notRecognised } from './imported.js';
import { isRttmType } from './rttm.js';

const isLineFormat = (name: string): name is LineFormat => lineFormats.some((known) => known === name);

/** How a format is read: line by line, or as a document. */
export const readerOf = (format: ImportFormat): LineFormat | { readonly json: JsonFormatName } =>
  isLineFormat(format) ? format : { json: format };

/** The first row of a track; a document of another provider has other fields. */
const aswStart = /^\{\s*(?:$|\}|"track[^"]*"?|"[^"]*"\s*:\s*\[\s*\{[^}]*"(?:bbox|label|eval)")/;

const cueTimes = /^\s*(?:[\d:]+[.,]\d+)\s+-->/m;
const voiceTag = /<v(?:\.[^\s>]*)?\s+[^>]*>/;
const spokenName = /-->[^\n]*\n[^\n<]{1,60}:\s/;

const ofSubtitles = (text: string): LineFormat | null => {
  if (/^WEBVTT(?:\s|$)/.test(text)) return !voiceTag.test(text) && spokenName.test(text) ? 'zoom_vtt' : 'webvtt';
  return /^\d+\s*\n[^\n]*-->/.test(text) || cueTimes.test(text.split('\n', 1)[0] ?? '') ? 'srt' : null;
};

const ofLine = (line: string): LineFormat | null => {
  if (isRttmType(line.split(/\s/, 1)[0] ?? '')) return 'rttm';
  const columns = line.split(',').length;
  if (columns >= 8 || (columns > 1 && line.includes('SPEAKING'))) return 'ava_csv';
  return null;
};

/**
 * Says by the first bytes of a file, some kilobytes or all of it, which format it has; `json` for a document of a
 * provider, which is recognised when all of it is read. JSON that starts like ASW is read as such; of other text
 * the first line that looks like RTTM or AVA-ActiveSpeaker decides, so that a broken first row is reported as such.
 * The error is for a file that looks like none of them, or is empty.
 */
export const recogniseFormat = (firstBytes: string): E.Either<ImportError, LineFormat | 'json'> => {
  const text = firstBytes.trim();
  if (text === '') return E.left({ line: null, message: 'the file is empty' });
  if (/^[{[]/.test(text)) return E.right(aswStart.test(text) ? 'asw_json' : 'json');
  const subtitles = ofSubtitles(text);
  if (subtitles !== null) return E.right(subtitles);
  for (const line of text.split('\n', 50)) {
    const format = ofLine(line.trim());
    if (format !== null) return E.right(format);
  }
  return E.left(notRecognised);
};
