import { isUtf8 } from 'node:buffer';
import { BodyBytes } from './body-bytes.js';
import { sizeOfJson } from './json-bytes.js';

/** The most values, and the most bytes, that are parsed at once: many times what any real body needs. */
export const mostValues = 250_000;
export const mostMebibytes = 16;

/** Parsing this would take more memory than one request is given. */
export class TooMuchJson extends Error {}

/** The bytes are no UTF-8. */
export class BrokenText extends Error {}

/** From one place of a body up to another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const parse: (text: string) => unknown = JSON.parse;

const lengthOf = (pieces: ReadonlyArray<Span | string>): number =>
  pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.end - piece.start), 0);

/**
 * Parses JSON that is put together of pieces of a body and of other texts, and of which it is known that it cannot take
 * much memory. Throws `TooMuchJson`, `BrokenText`, or what the parser throws. No character may be cut by a piece's end.
 */
export const parseBounded = (bytes: BodyBytes, pieces: ReadonlyArray<Span | string>): unknown => {
  const length = lengthOf(pieces);
  if (length > mostMebibytes * 1024 * 1024) throw new TooMuchJson();
  const json = Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : bytes.copy(piece.start, piece.end))),
    length,
  );
  if (!isUtf8(json)) throw new BrokenText();
  if (length > mostValues && sizeOfJson(new BodyBytes([json], length)).values > mostValues) throw new TooMuchJson();
  return parse(json.toString('utf8'));
};
