import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { refuse } from './format.js';
import { gunzipSync } from 'node:zlib';
import { type UnzipFileFilter, unzipSync } from 'fflate';

/** The bytes of a document, in pieces. They are read once. */
export type Chunks = Iterable<Uint8Array>;

/** The text of a document as UTF-8, and what it was taken from, such as `a Word document`; null for a plain file. */
interface OpenedBytes {
  readonly chunks: Chunks;
  readonly from: string | null;
}

const mebibyte = 1024 * 1024;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Refuses what has more bytes than there may be. */
export const refuseSize = (what: string, maxBytes: number): never =>
  refuse(null, `${what} ${Math.floor(maxBytes / mebibyte)} MiB`);

const gunzip = (bytes: Uint8Array, maxBytes: number): Uint8Array => {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (error instanceof RangeError) return refuseSize('the gzip file holds more than', maxBytes);
    return refuse(null, `the gzip file cannot be opened: ${reasonOf(error)}`);
  }
};

/** Files that archiving tools add by themselves, and folders. */
const isNoMember = (name: string): boolean => /^__MACOSX\/|(?:^|\/)\.DS_Store$|\/$/.test(name);

const word = 'word/document.xml';

/** The only member of a zip file, or the text of a Word document. */
const unzip = (bytes: Uint8Array, maxBytes: number): { readonly content: Uint8Array; readonly from: string } => {
  const names = new Set<string>();
  const filter: UnzipFileFilter = ({ name, originalSize }) => {
    if (!isNoMember(name)) names.add(name);
    return (name === word || (names.has(name) && names.size === 1)) && originalSize <= maxBytes;
  };
  let members: Readonly<Record<string, Uint8Array>>;
  try {
    members = unzipSync(bytes, { filter });
  } catch (error) {
    return refuse(null, `the zip file cannot be opened: ${reasonOf(error)}`);
  }
  const isWord = names.has(word);
  if (names.size !== 1 && !isWord)
    return refuse(null, `the file is a zip of ${names.size} files; import the file in it that you mean`);
  const [name = ''] = isWord ? [word] : names;
  const content = members[name] ?? refuseSize('the zip file holds more than', maxBytes);
  return { content, from: isWord ? 'a Word document' : 'a zip file' };
};

/**
 * `utf-16le` or `utf-16be`, by its mark or because every other byte of the start is zero; null for any other text. A
 * recording has zeros in both places.
 */
const utf16Of = (start: Uint8Array): 'utf-16le' | 'utf-16be' | null => {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [at, byte] of start.subarray(0, 256).entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.abs(even - odd) < Math.min(start.length, 256) / 4) return null;
  return odd > even ? 'utf-16le' : 'utf-16be';
};

/** As UTF-8, in pieces so small that no text of them is long. */
function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += mebibyte) yield bytes.subarray(at, at + mebibyte);
}

const fromUtf16 = (bytes: Uint8Array, encoding: string): Uint8Array => {
  try {
    return Buffer.from(new TextDecoder(encoding, { fatal: true }).decode(bytes));
  } catch {
    return refuse(null, 'the text is UTF-16, but not valid');
  }
};

/** What was read so far and what follows. */
function* continued(read: Uint8Array, rest: Iterator<Uint8Array>): Generator<Uint8Array> {
  yield* pieces(read);
  for (let next = rest.next(); next.done !== true; next = rest.next()) yield* pieces(next.value);
}

/**
 * Opens gzip, a zip with one member, and the text of a Word document, and converts UTF-16. `maxBytes`: the limit of what
 * is opened or converted, which has to fit into memory.
 */
export const openBytes = (source: Chunks, maxBytes: number): OpenedBytes => {
  const rest = source[Symbol.iterator]();
  let start: Uint8Array = new Uint8Array();
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    start = Buffer.concat([start, next.value]);
    if (start.length >= 256) break;
  }
  const whole = (): Uint8Array => Buffer.concat([...continued(start, rest)]);
  const head = Buffer.from(start.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x1F\x8B')) return { chunks: plain(gunzip(whole(), maxBytes)), from: 'a gzip file' };
  if (head.startsWith('PK\x03\x04')) {
    const { content, from } = unzip(whole(), maxBytes);
    return { chunks: plain(content), from };
  }
  return { chunks: utf16Of(start) === null ? continued(start, rest) : plain(whole()), from: null };
};

/** The text of bytes that are in memory. */
const plain = (bytes: Uint8Array): Chunks => {
  const encoding = utf16Of(bytes.subarray(0, 256));
  return pieces(encoding === null ? bytes : fromUtf16(bytes, encoding));
};

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
    if (restBytes > maxLine) refuseSize('a line of the file is longer than', maxLine);
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

/** Called while a file is read, with the bytes read so far and the size of the file. */
export type Progress = (read: number, size: number) => void;

/** The bytes of a file. */
export function* fileBytes(path: string, progress: Progress): Generator<Uint8Array> {
  let file: number | null = null;
  try {
    file = openSync(path, 'r');
    const { size } = fstatSync(file);
    for (let read = 0; ;) {
      const block = Buffer.allocUnsafe(mebibyte);
      const length = readSync(file, block);
      if (length === 0) return;
      read += length;
      progress(read, size);
      yield block.subarray(0, length);
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error)
      refuse(null, `the file cannot be read: ${reasons[String(error.code)] ?? error.message}`);
    throw error;
  } finally {
    if (file !== null) closeSync(file);
  }
}
