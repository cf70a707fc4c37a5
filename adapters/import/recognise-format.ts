import * as E from 'fp-ts/lib/Either.js';
import { type ImportFormat, type JsonFormatName, type LineFormat, lineFormats } from './format-names.js';
import { type ImportError, formatNotRecognised } from './imported.js';
import { isRttmType } from './rttm.js';

const isLineFormat = (name: string): name is LineFormat => lineFormats.some((known) => known === name);

/** How a format is read: line by line, or as a JSON document. */
export const readerOf = (format: ImportFormat): LineFormat | { readonly json: JsonFormatName } =>
  isLineFormat(format) ? format : { json: format };

/** The start of an ASW document; documents of other providers have other fields. */
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
 * Recognises the format by the start of a file; `json` for a document of a provider, whose format is recognised when it
 * has been read. In other text the first line that looks like RTTM or AVA-ActiveSpeaker decides, so that an invalid first
 * row is reported as such. Fails if the file is empty or matches no format.
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
  return E.left(formatNotRecognised);
};
