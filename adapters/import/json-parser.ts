import * as E from 'fp-ts/lib/Either.js';
import { type JsonDocument, type JsonFormatName, readJson } from './json-formats.js';
import { parseDocument } from './json-document.js';
import { brokenAt, type LineParser, taken } from './line-parser.js';

/** A document is decoded as a whole; a larger one would take gigabytes of memory. */
const longestDocument = 256 * 1024 * 1024;

/** A parser of a document of JSON, of a given format or of the one that it is recognised to have. */
export const jsonParser = (wanted: JsonFormatName | null): LineParser<JsonDocument> => {
  const lines: string[] = [];
  let length = 0;
  return {
    take: (text, line) => {
      lines.push(text);
      length += text.length + 1;
      return length > longestDocument ? brokenAt(line, 'the document is longer than 256 MiB') : taken;
    },
    finish: () => {
      const json = parseDocument(lines.join('\n'));
      return E.isLeft(json) ? json : readJson(json.right, wanted);
    },
  };
};
