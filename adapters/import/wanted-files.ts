import * as E from 'fp-ts/lib/Either.js';
import { type ImportFormat, importFormats } from './format-names.js';

/** What is wanted of a file: all that it holds, or one part of it. */
export type Wanted = 'all' | Part;

const parts = ['faces', 'diarisation', 'transcript'] as const;
type Part = (typeof parts)[number];

export interface PartOfFile {
  readonly path: string;
  readonly wanted: Wanted;
}

/** Which files, and what is said of their formats. */
export interface FileChoice {
  /** Files of which all counts that they hold. */
  readonly files: ReadonlyArray<string>;
  /** Files of which one part counts. */
  readonly parts?: ReadonlyArray<PartOfFile> | undefined;
  /** The format of the one file. */
  readonly format?: string | undefined;
  /** The format of the files that are given for a part. */
  readonly formats?: { readonly [part in Part]?: string | undefined } | undefined;
}

/** A file to read; its format is recognised by content where nobody named it. */
export interface WantedFile extends PartOfFile {
  readonly format: ImportFormat | undefined;
}

const knownFormat = (name: string): E.Either<string, ImportFormat> => {
  const known = importFormats.find((format) => format === name);
  return known === undefined ? E.left(`the format ${name} is not one of ${importFormats.join(', ')}`) : E.right(known);
};

const tooMany =
  '--format is for one file; with several, --faces-format, --diarisation-format and --transcript-format ' +
  'name the format of the files given with --faces, --diarisation and --transcript';

/** The files of an import, each with the format that it is said to have; the error is one of usage. */
export const wantedFiles = (choice: FileChoice): E.Either<string, ReadonlyArray<WantedFile>> => {
  const { files, format, formats = {} } = choice;
  const given: ReadonlyArray<PartOfFile> = [
    ...files.map((path): PartOfFile => ({ path, wanted: 'all' })),
    ...(choice.parts ?? []),
  ];
  if (given.length === 0) return E.left('no file to import');
  if (format !== undefined && given.length > 1 && files.length !== 1) return E.left(tooMany);
  const idle = parts.find((part) => formats[part] !== undefined && !given.some(({ wanted }) => wanted === part));
  if (idle !== undefined) return E.left(`--${idle}-format without --${idle}: it names the format of that file`);
  const wanted: WantedFile[] = [];
  for (const file of given) {
    const named = (file.wanted === 'all' ? format : formats[file.wanted]) ?? (given.length === 1 ? format : undefined);
    const known = named === undefined ? E.right(undefined) : knownFormat(named);
    if (E.isLeft(known)) return known;
    wanted.push({ ...file, format: known.right });
  }
  return E.right(wanted);
};
