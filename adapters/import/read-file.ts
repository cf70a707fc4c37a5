import * as E from 'fp-ts/lib/Either.js';
import { aswJsonParser } from './asw-json.js';
import { avaCsvParser } from './ava-csv.js';
import { fileLines } from './file-lines.js';
import type { FileError, Imported, ImportError, RecordingChoice } from './imported.js';
import { brokenAt, type LineParser } from './line-parser.js';
import { type ImportFormat, recogniseFormat } from './recognise-format.js';
import { rttmParser } from './rttm.js';

export interface ReadOptions extends RecordingChoice {
  /** The format, where it should not be recognised by content. */
  readonly format?: ImportFormat | undefined;
}

/** A file that was read in full. */
export interface ImportedFile {
  readonly file: string;
  readonly format: ImportFormat;
  readonly imported: Imported;
}

const parsers: Readonly<Record<ImportFormat, (options: RecordingChoice) => LineParser<Imported>>> = {
  rttm: rttmParser,
  ava_csv: avaCsvParser,
  asw_json: aswJsonParser,
};

const enoughToRecognise = 64 * 1024;

/** Feeds blocks of lines to the parser that the first of them asks for. */
const parseBlocks = async (
  blocks: AsyncIterable<E.Either<ImportError, ReadonlyArray<string>>>,
  options: ReadOptions,
): Promise<E.Either<ImportError, Omit<ImportedFile, 'file'>>> => {
  let chosen: { format: ImportFormat; parser: LineParser<Imported> } | null = null;
  let line = 0;
  for await (const block of blocks) {
    if (E.isLeft(block)) return block;
    if (chosen === null) {
      const start = block.right.join('\n').slice(0, enoughToRecognise);
      if (start.trim() === '') {
        line += block.right.length;
        continue;
      }
      const format = options.format === undefined ? recogniseFormat(start) : E.right(options.format);
      if (E.isLeft(format)) return format;
      chosen = { format: format.right, parser: parsers[format.right](options) };
    }
    for (const text of block.right) {
      line += 1;
      const taken = chosen.parser.take(text, line);
      if (E.isLeft(taken)) return taken;
    }
  }
  if (chosen === null) return brokenAt(null, 'the file is empty');
  const { format, parser } = chosen;
  return E.map((imported: Imported) => ({ format, imported }))(parser.finish(line));
};

/**
 * Reads a file of faces (AVA-ActiveSpeaker CSV, ASW JSON) or of speaker turns (RTTM) as a stream. The text must be
 * UTF-8, with or without byte order mark, lines ending in LF or CRLF. All or nothing: the first error, with its
 * file and line, is all that a broken file gives.
 */
export const readImportFile = async (
  file: string,
  options: ReadOptions = {},
): Promise<E.Either<FileError, ImportedFile>> => {
  const parsed = await parseBlocks(fileLines(file), options);
  return E.bimap(
    (error: ImportError): FileError => ({ file, ...error }),
    (read: Omit<ImportedFile, 'file'>): ImportedFile => ({ file, ...read }),
  )(parsed);
};
