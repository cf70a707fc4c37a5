import * as E from 'fp-ts/lib/Either.js';
import { type FormatName, importFormats } from './format-names.js';

/** What is imported from a file: everything or one part. */
export type Wanted = 'all' | Part;

const parts = ['faces', 'diarisation', 'transcript'] as const;
type Part = (typeof parts)[number];

export interface PartOfFile {
  readonly path: string;
  readonly wanted: Wanted;
}

/** The files to import and their formats. */
export interface FileChoice {
  /** Files of which everything is imported. */
  readonly files: ReadonlyArray<string>;
  /** Files of which one part is imported. */
  readonly parts?: ReadonlyArray<PartOfFile> | undefined;
  /** The format, if there is one file. */
  readonly format?: string | undefined;
  /** The format of the files for each part. */
  readonly formats?: { readonly [part in Part]?: string | undefined } | undefined;
}

/** A file to read; without a format, the format is recognised by content. */
export interface WantedFile extends PartOfFile {
  readonly format: FormatName | undefined;
}

const knownFormat = (name: string): E.Either<string, FormatName> => {
  const known = importFormats.find((format) => format === name);
  return known === undefined ? E.left(`the format ${name} is not one of ${importFormats.join(', ')}`) : E.right(known);
};

const tooMany =
  '--format is for one file; with several, --faces-format, --diarisation-format and --transcript-format ' +
  'name the format of the files given with --faces, --diarisation and --transcript';

/** The files of an import with their formats; the error is a usage error. */
export const wantedFiles = (choice: FileChoice): E.Either<string, ReadonlyArray<WantedFile>> => {
  const { files, format, formats = {} } = choice;
  const given: ReadonlyArray<PartOfFile> = [
    ...files.map((path): PartOfFile => ({ path, wanted: 'all' })),
    ...(choice.parts ?? []),
  ];
  if (given.length === 0) return E.left('no file to import');
  if (format !== undefined && given.length > 1 && files.length !== 1) return E.left(tooMany);
  const unusedFormat = parts.find(
    (part) => formats[part] !== undefined && !given.some(({ wanted }) => wanted === part),
  );
  if (unusedFormat !== undefined)
    return E.left(`--${unusedFormat}-format needs --${unusedFormat}: it is the format of that file`);
  const wanted: WantedFile[] = [];
  for (const file of given) {
    const named = (file.wanted === 'all' ? format : formats[file.wanted]) ?? (given.length === 1 ? format : undefined);
    const known = named === undefined ? E.right(undefined) : knownFormat(named);
    if (E.isLeft(known)) return known;
    wanted.push({ ...file, format: known.right });
  }
  return E.right(wanted);
};
