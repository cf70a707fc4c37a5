import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Chunks } from './open-bytes.js';
import { refuse } from './imported.js';

const lineFeed = 0x0a;

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decode = (bytes: Uint8Array): string | null => {
  try {
    return bytes.includes(0) ? null : strict.decode(bytes);
  } catch {
    return null;
  }
};

/** Refuses a block that is no UTF-8, with the line. */
const refuseBlock = (block: Buffer, linesBefore: number): never => {
  let line = linesBefore + 1;
  let start = 0;
  for (let end = block.indexOf(lineFeed); end !== -1; end = block.indexOf(lineFeed, start)) {
    if (decode(block.subarray(start, end)) === null) break;
    start = end + 1;
    line += 1;
  }
  const isBinary = block.subarray(start).includes(0);
  return refuse(line, isBinary ? 'the text holds a zero byte: it is no text, or not UTF-8' : 'the text is not UTF-8');
};

/** Marks of byte order and direction, and characters without width: what is invisible before the first line. */
const invisible = /^[\uFEFF\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069]+/;

/** The lines of a text. A line ends with LF, CR LF or CR. */
export const linesIn = (text: string): ReadonlyArray<string> =>
  text.includes('\r') ? text.split(/\r\n?|\n/) : text.split('\n');

const countLines = (text: string): number => {
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/** Blocks of whole lines, without the line break at the end of each. */
function* blocksOf(chunks: Chunks, maxLine: number): Generator<Buffer> {
  let rest: Uint8Array[] = [];
  let restBytes = 0;
  for (const chunk of chunks) {
    const lastEnd = chunk.lastIndexOf(lineFeed);
    if (lastEnd !== -1) {
      yield Buffer.concat([...rest, chunk.subarray(0, lastEnd)]);
      rest = [];
      restBytes = 0;
    }
    if (lastEnd + 1 < chunk.length) rest.push(chunk.subarray(lastEnd + 1));
    restBytes += chunk.length - lastEnd - 1;
    if (restBytes > maxLine)
      refuse(null, `a line of the file is longer than ${Math.floor(maxLine / (1024 * 1024))} MiB`);
  }
  if (restBytes > 0) yield Buffer.concat(rest);
}

/** The text of a document, in blocks of whole lines without the line break at the end of each. */
export function* textBlocks(chunks: Chunks, maxLine: number): Generator<string> {
  let count = 0;
  for (const block of blocksOf(chunks, maxLine)) {
    const text = (decode(block) ?? refuseBlock(block, count)).replace(/\r$/, '');
    yield count === 0 ? text.replace(invisible, '') : text;
    count += countLines(text);
  }
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

/** The bytes of a file. */
export function* fileBytes(path: string, progress: Progress): Generator<Uint8Array> {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    for (let read = 0; ;) {
      const block = Buffer.allocUnsafe(blockBytes);
      const length = readSync(file, block);
      if (length === 0) return;
      read += length;
      progress(read, size);
      yield block.subarray(0, length);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error) refuse(null, `the file cannot be read: ${whyUnreadable(error)}`);
    throw error;
  } finally {
    if (file !== null) closeSync(file);
  }
}
