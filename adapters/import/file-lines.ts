import { createReadStream } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import type { ImportError } from './imported.js';
import { brokenAt } from './line-parser.js';

type Lines = E.Either<ImportError, ReadonlyArray<string>>;

const lineFeed = 0x0a;

/** A longer line belongs to no format that is imported, and would not fit in memory as one text some day. */
const longestLineBytes = 256 * 1024 * 1024;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decode = (bytes: Uint8Array): string | null => {
  try {
    return strict.decode(bytes);
  } catch {
    return null;
  }
};

const toLines = (text: string): string[] =>
  text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));

/** Decodes whole lines; where one is not UTF-8, the lines before it and the error. */
const decodeLines = (bytes: Buffer, linesBefore: number): ReadonlyArray<Lines> => {
  const text = decode(bytes);
  if (text !== null) return [E.right(toLines(text))];
  const good: string[] = [];
  for (let start = 0; start <= bytes.length;) {
    const end = bytes.indexOf(lineFeed, start);
    const line = decode(bytes.subarray(start, end === -1 ? bytes.length : end));
    if (line === null) break;
    good.push(...toLines(line));
    if (end === -1) break;
    start = end + 1;
  }
  return [E.right(good), brokenAt(linesBefore + good.length + 1, 'the text is not UTF-8')];
};

const withoutMark = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line, index) => (index === 0 && line.startsWith('\uFEFF') ? line.slice(1) : line));

/**
 * The lines of a stream of bytes in blocks, as they arrive, without line ends (LF or CRLF) and byte order mark.
 * Bytes that are not UTF-8 and a line of more than 256 MiB are errors with the number of their line.
 */
export async function* blocksOfLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Lines> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let line = 0;
  const flush = function* (block: Buffer): Generator<Lines> {
    for (const lines of decodeLines(block, line)) {
      yield E.map((texts: ReadonlyArray<string>) => (line === 0 ? withoutMark(texts) : texts))(lines);
      if (E.isRight(lines)) line += lines.right.length;
    }
  };
  for await (const chunk of bytes) {
    const part = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lastEnd = part.lastIndexOf(lineFeed);
    if (lastEnd !== -1) {
      yield* flush(Buffer.concat([...rest, part.subarray(0, lastEnd)]));
      rest = [];
      restBytes = 0;
    }
    const open = part.subarray(lastEnd + 1);
    rest.push(open);
    restBytes += open.length;
    if (restBytes > longestLineBytes) {
      yield brokenAt(line + 1, 'the line is longer than 256 MiB');
      return;
    }
  }
  if (restBytes > 0) yield* flush(Buffer.concat(rest));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'reading it is not permitted',
  EISDIR: 'it is a folder',
};

const whyUnreadable = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? error.message;
};

/** The lines of a file in blocks, see {@link blocksOfLines}; a file that cannot be read is an error without line. */
export async function* fileLines(path: string): AsyncGenerator<Lines> {
  try {
    yield* blocksOfLines(createReadStream(path));
  } catch (error) {
    yield brokenAt(null, `the file cannot be read: ${whyUnreadable(error)}`);
  }
}
