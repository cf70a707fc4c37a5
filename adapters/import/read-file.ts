import * as E from 'fp-ts/lib/Either.js';
import { aswJsonParser } from './asw-json.js';
import { avaCsvParser } from './ava-csv.js';
import { type Block, blocksOfLines, decodeLines, fileBlocks, lineFeed, type Progress } from './file-lines.js';
import type { FileError, Imported, ImportedFaces, ImportedSpeech, ImportError, RecordingChoice } from './imported.js';
import type { JsonDocument } from './json-formats.js';
import { jsonParser } from './json-parser.js';
import { errorAt, type LineParser, accepted } from './line-parser.js';
import type { ImportFormat, LineFormat } from './format-names.js';
import { readerOf, recogniseFormat } from './recognise-format.js';
import { rttmParser } from './rttm.js';
import { srtParser, webvttParser, zoomVttParser } from './subtitles.js';

export interface ReadOptions extends RecordingChoice {
  /** The format; by default it is recognised by content. */
  readonly format?: ImportFormat | undefined;
  /** The maximal line, in bytes, and the maximal JSON document, in characters; default: 256 MiB. */
  readonly maxLineBytes?: number;
  readonly maxJsonLength?: number;
}

/** The content of a document and its format. */
export interface ReadDocument {
  readonly format: ImportFormat;
  readonly imported: Imported;
  /** The pages, if other files may contain more pages of the same result. */
  readonly paged?: JsonDocument['paged'];
}

/** A file that was read in full. */
export interface ImportedFile extends ReadDocument {
  readonly file: string;
}

type Parser = LineParser<ReadDocument>;

const mapResult = <From, To>(parser: LineParser<From>, map: (result: From) => To): LineParser<To> => ({
  take: (text, line) => parser.take(text, line),
  ...(parser.takeBlock === undefined ? {} : { takeBlock: parser.takeBlock.bind(parser) }),
  finish: (lastLine) => E.map(map)(parser.finish(lastLine)),
});

const ofFaces = (format: LineFormat, parser: LineParser<ImportedFaces>): Parser =>
  mapResult(parser, (faces) => ({ format, imported: { faces, speech: null } }));

const ofSpeech = (format: LineFormat, parser: LineParser<ImportedSpeech>): Parser =>
  mapResult(parser, (speech) => ({ format, imported: { faces: null, speech } }));

const parserOf = (format: LineFormat, options: RecordingChoice): Parser => {
  switch (format) {
    case 'rttm':
      return ofSpeech(format, rttmParser(options));
    case 'ava_csv':
      return ofFaces(format, avaCsvParser(options));
    case 'asw_json':
      return ofFaces(format, aswJsonParser());
    case 'webvtt':
      return ofSpeech(format, webvttParser());
    case 'zoom_vtt':
      return ofSpeech(format, zoomVttParser());
    case 'srt':
      return ofSpeech(format, srtParser());
  }
};

const chooseParser = (start: string, options: ReadOptions): E.Either<ImportError, Parser> => {
  const asked = options.format === undefined ? null : readerOf(options.format);
  if (asked !== null)
    return E.right(
      typeof asked === 'string' ? parserOf(asked, options) : jsonParser(asked.json, options.maxJsonLength),
    );
  return E.map((format: LineFormat | 'json') =>
    format === 'json' ? jsonParser(null, options.maxJsonLength) : parserOf(format, options),
  )(recogniseFormat(start));
};

/** The parser of a file that has only blank lines. */
const blank: Parser = { take: () => accepted, finish: () => errorAt(null, 'the file is empty') };

const enoughToRecognise = 64 * 1024;

const feed = (parser: Parser, block: Buffer, linesBefore: number): E.Either<ImportError, number> => {
  if (parser.takeBlock !== undefined) return parser.takeBlock(block, linesBefore);
  const { lines, fault } = decodeLines(block, linesBefore);
  for (const [index, text] of lines.entries()) {
    const answer = parser.take(text, linesBefore + index + 1);
    if (E.isLeft(answer)) return answer;
  }
  return fault === null ? E.right(lines.length) : E.left(fault);
};

/** Removes an incomplete UTF-8 character at the end of a block that was cut. */
const wholeCharacters = (start: Buffer, length: number): Buffer => {
  let end = start.length;
  if (end === length) return start;
  while (end > 0 && ((start[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return start.subarray(0, Math.max(0, end - 1));
};

/** The first lines of a file, enough to recognise its format. */
const startOf = (block: Buffer, linesBefore: number): E.Either<ImportError, string> => {
  const { lines, fault } = decodeLines(
    wholeCharacters(block.subarray(0, enoughToRecognise), block.length),
    linesBefore,
  );
  return fault !== null && lines.length === 0 ? E.left(fault) : E.right(lines.join('\n'));
};

const blankBytes = new Set([0x09, lineFeed, 0x0d, 0x20]);

/** A block without leading blank lines, if they fill the part by which the format is recognised, and their number. */
const withoutBlankStart = (block: Buffer): { readonly rest: Buffer; readonly lines: number } => {
  let [lines, start] = [0, 0];
  for (let at = 0; at < block.length; at += 1) {
    const byte = block[at] ?? 0;
    if (!blankBytes.has(byte))
      return at > enoughToRecognise ? { rest: block.subarray(start), lines } : { rest: block, lines: 0 };
    if (byte !== lineFeed) continue;
    lines += 1;
    start = at + 1;
  }
  return { rest: block.subarray(block.length), lines: lines + 1 };
};

/** Recognises the format by the first block that is not blank, and feeds all blocks to its parser. */
const parseBlocks = async (
  blocks: AsyncIterable<Block>,
  options: ReadOptions,
): Promise<E.Either<ImportError, ReadDocument>> => {
  let parser: Parser | null = null;
  let line = 0;
  for await (const found of blocks) {
    if (E.isLeft(found)) return found;
    let block = found.right;
    if (parser === null) {
      const cut = withoutBlankStart(block);
      block = cut.rest;
      line += cut.lines;
      if (block.length === 0 && cut.lines > 0) continue;
      const start = startOf(block, line);
      if (E.isLeft(start)) return start;
      const chosen = start.right.trim() === '' ? E.right(null) : chooseParser(start.right, options);
      if (E.isLeft(chosen)) return chosen;
      parser = chosen.right;
    }
    const lines = feed(parser ?? blank, block, line);
    if (E.isLeft(lines)) return lines;
    line += lines.right;
  }
  return (parser ?? blank).finish(line);
};

/** Reads a document from a stream of bytes; see {@link readImportFile}. */
export const readImportChunks = (
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): Promise<E.Either<ImportError, ReadDocument>> => parseBlocks(blocksOfLines(chunks, options.maxLineBytes), options);

/**
 * Reads a file with faces, speech or both, in any supported format. Line formats are streamed, JSON documents are read as
 * a whole. The text must be UTF-8, with or without byte order mark, with LF or CRLF. The first error ends the reading.
 */
export const readImportFile = async (
  file: string,
  options: ReadOptions = {},
  progress: Progress = () => undefined,
): Promise<E.Either<FileError, ImportedFile>> => {
  const parsed = await parseBlocks(fileBlocks(file, progress), options);
  return E.bimap(
    (error: ImportError): FileError => ({ file, ...error }),
    (read: ReadDocument): ImportedFile => ({ file, ...read }),
  )(parsed);
};
