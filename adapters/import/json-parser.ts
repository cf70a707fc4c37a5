import * as E from 'fp-ts/lib/Either.js';
import type { JsonFormatName } from './format-names.js';
import { type JsonDocument, readJson } from './json-formats.js';
import { parseDocument } from './json-document.js';
import { errorAt, type LineParser, accepted } from './line-parser.js';

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Documents are decoded as a whole: a larger one would need gigabytes of memory. In characters. */
const maxDocumentLength = 256 * 1024 * 1024;

/** Documents of providers have about ten levels; deeper nesting would exhaust the memory. */
const maxDepth = 200;

/** Whether a JSON text is nested deeper than `maxDepth`. */
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
    if (depth > maxDepth) return true;
  }
  return false;
};

/** Parses a JSON document in the wanted format, or in the format that it is recognised as. */
export const jsonParser = (wanted: JsonFormatName | null, maxLength = maxDocumentLength): LineParser<JsonDocument> => {
  const lines: string[] = [];
  let length = 0;
  return {
    take: (text, line) => {
      lines.push(text);
      length += text.length + 1;
      return length > maxLength
        ? errorAt(line, `the JSON document is longer than ${Math.floor(maxLength / (1024 * 1024))} MiB`)
        : accepted;
    },
    finish: () => {
      const text = lines.splice(0).join('\n');
      if (isTooDeep(text)) return errorAt(null, `the document is nested deeper than ${maxDepth} levels`);
      const json = parseDocument(text);
      return E.isLeft(json) ? json : readJson(json.right, wanted);
    },
  };
};
