import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { ImportError } from './imported.js';
import { errorAt } from './line-parser.js';

/** A block of whole lines as bytes, without the last line break. */
export type Block = E.Either<ImportError, Buffer>;

export const lineFeed = 0x0a;

/** No supported format has longer lines, and a string has a maximal length. */
const maxLineBytes = 256 * 1024 * 1024;

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

const notUtf8 = (bytes: Uint8Array): string =>
  bytes.includes(0) || (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
    ? 'the text is not UTF-8: it looks like UTF-16'
    : 'the text is not UTF-8';

/** The lines of a block. If a line is not UTF-8, the lines before it and the error. */
export interface DecodedLines {
  readonly lines: ReadonlyArray<string>;
  readonly fault: ImportError | null;
}

const withoutBom = (lines: ReadonlyArray<string>, isStart: boolean): ReadonlyArray<string> =>
  isStart && lines[0]?.startsWith('\uFEFF') === true ? [lines[0].slice(1), ...lines.slice(1)] : lines;

const isText = (bytes: Uint8Array): boolean => !bytes.includes(0) && decode(bytes) !== null;

/** Decodes a block. `linesBefore`: how many lines of the file precede it. A byte order mark at the start is removed. */
export const decodeLines = (block: Buffer, linesBefore: number): DecodedLines => {
  const text = block.includes(0) ? null : decode(block);
  if (text !== null) return { lines: withoutBom(toLines(text), linesBefore === 0), fault: null };
  let start = 0;
  let line = linesBefore + 1;
  for (;;) {
    const end = block.indexOf(lineFeed, start);
    const bytes = block.subarray(start, end === -1 ? block.length : end);
    if (end === -1 || !isText(bytes)) {
      const good = start === 0 ? [] : toLines(block.subarray(0, start - 1).toString());
      return { lines: withoutBom(good, linesBefore === 0), fault: { line, message: notUtf8(bytes) } };
    }
    start = end + 1;
    line += 1;
  }
};

const inMebibytes = (bytes: number): string => `${Math.floor(bytes / (1024 * 1024))} MiB`;

/** Splits a stream of bytes into blocks of whole lines. A line that is too long is an error. */
export async function* blocksOfLines(bytes: AsyncIterable<Uint8Array>, maxLine = maxLineBytes): AsyncGenerator<Block> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of bytes) {
    const part = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lastEnd = part.lastIndexOf(lineFeed);
    if (lastEnd !== -1) {
      const whole = part.subarray(0, lastEnd);
      yield E.right(rest.length === 0 ? whole : Buffer.concat([...rest, whole]));
      rest = [];
      restBytes = 0;
    }
    const open = part.subarray(lastEnd + 1);
    if (open.length > 0) rest.push(open);
    restBytes += open.length;
    if (restBytes > maxLine) {
      yield errorAt(null, `a line of the file is longer than ${inMebibytes(maxLine)}`);
      return;
    }
  }
  if (restBytes > 0) yield E.right(Buffer.concat(rest));
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

const whyUnreadable = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? error.message;
};

/** Called while a file is read, with the bytes read so far and the size of the file. */
export type Progress = (read: number, size: number) => void;

const blockBytes = 1024 * 1024;

async function* fileBytes(path: string, progress: Progress): AsyncGenerator<Uint8Array> {
  const { size } = await stat(path);
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: blockBytes })) {
    if (!(chunk instanceof Uint8Array)) continue;
    read += chunk.length;
    progress(read, size);
    yield chunk;
  }
}

/** The blocks of a file, see {@link blocksOfLines}. If the file cannot be read, an error without a line. */
export async function* fileBlocks(path: string, progress: Progress): AsyncGenerator<Block> {
  try {
    yield* blocksOfLines(fileBytes(path, progress));
  } catch (error) {
    yield errorAt(null, `the file cannot be read: ${whyUnreadable(error)}`);
  }
}
