import * as E from 'fp-ts/lib/Either.js';
import type { JsonFormatName } from './format-names.js';
import { type JsonDocument, readJson } from './json-formats.js';
import { parseDocument } from './json-document.js';
import { brokenAt, type LineParser, taken } from './line-parser.js';

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A document is decoded as a whole; a larger one would take gigabytes of memory. */
const longestDocument = 256 * 1024 * 1024;

/** Documents of providers are nested some ten levels deep; what is nested without end takes memory without end. */
const deepest = 200;

/** Whether a text of JSON is nested deeper than any document. */
const isTooDeep = (text: string): boolean => {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (inText) {
      if (character === backslash) at += 1;
      else if (character === quote) inText = false;
    } else if (character === quote) inText = true;
    else if (character === openBracket || character === openBrace) depth += 1;
    else if (character === closeBracket || character === closeBrace) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
};

/** A parser of a document of JSON, of a given format or of the one that it is recognised to have. */
export const jsonParser = (wanted: JsonFormatName | null, longest = longestDocument): LineParser<JsonDocument> => {
  const lines: string[] = [];
  let length = 0;
  return {
    take: (text, line) => {
      lines.push(text);
      length += text.length + 1;
      return length > longest
        ? brokenAt(line, `a document of JSON is longer than ${Math.floor(longest / (1024 * 1024))} MiB`)
        : taken;
    },
    finish: () => {
      const text = lines.splice(0).join('\n');
      if (isTooDeep(text)) return brokenAt(null, `the document is nested deeper than ${deepest} levels`);
      const json = parseDocument(text);
      return E.isLeft(json) ? json : readJson(json.right, wanted);
    },
  };
};
