import * as E from 'fp-ts/lib/Either.js';
import { type FormatName, importFormats } from './format-names.js';
import { type FileError, type ImportError, isUnrecognised } from './format.js';
import { type ReadDocument, readPages } from './read-document.js';

/** What is imported from a file: everything or one part. */
export type Wanted = 'all' | Part;

const parts = ['faces', 'diarisation', 'transcript'] as const;
export type Part = (typeof parts)[number];

/** The files to import and their formats, as the options of the command name them. */
export interface FileChoice {
  /** Files of which everything is imported. */
  readonly files: ReadonlyArray<string>;
  /** Files of which one part is imported. */
  readonly faces?: ReadonlyArray<string> | undefined;
  readonly diarisation?: ReadonlyArray<string> | undefined;
  readonly transcript?: ReadonlyArray<string> | undefined;
  /** The format, if there is one file. */
  readonly format?: string | undefined;
  /** The format of the files for a part. */
  readonly facesFormat?: string | undefined;
  readonly diarisationFormat?: string | undefined;
  readonly transcriptFormat?: string | undefined;
}

/** A file to read; without a format, the format is recognised by content. */
export interface WantedFile {
  readonly path: string;
  readonly wanted: Wanted;
  readonly format: FormatName | undefined;
}

const tooMany =
  '--format is for one file; with several, --faces-format, --diarisation-format and --transcript-format ' +
  'name the format of the files given with --faces, --diarisation and --transcript';

/** The files of an import with their formats; the error is a usage error. */
export const wantedFiles = (choice: FileChoice): E.Either<string, ReadonlyArray<WantedFile>> => {
  const { files, format } = choice;
  const given = [
    ...files.map((path) => ({ path, wanted: 'all' as const })),
    ...parts.flatMap((wanted) => (choice[wanted] ?? []).map((path) => ({ path, wanted }))),
  ];
  if (given.length === 0) return E.left('no file to import');
  if (format !== undefined && given.length > 1 && files.length !== 1) return E.left(tooMany);
  const unused = parts.find((part) => choice[`${part}Format`] !== undefined && choice[part] === undefined);
  if (unused !== undefined) return E.left(`--${unused}-format needs --${unused}: it is the format of that file`);
  const wanted: WantedFile[] = [];
  for (const file of given) {
    const ofPart = file.wanted === 'all' ? format : choice[`${file.wanted}Format`];
    const named = ofPart ?? (given.length === 1 ? format : undefined);
    const known = importFormats.find((name) => name === named);
    if (named !== known) return E.left(`the format ${named} is not one of ${importFormats.join(', ')}`);
    wanted.push({ ...file, format: known });
  }
  return E.right(wanted);
};

/** A file that was read in full. */
export interface FileRead extends ReadDocument {
  readonly file: string;
  readonly wanted: Wanted;
}

/** Reads the pages of one result, which are in several files, as one document. */
const joined = (files: readonly [FileRead, ...FileRead[]]): E.Either<FileError, FileRead> => {
  const file = files.map((one) => one.file).join(', ');
  const pages = files.flatMap((one) => one.pages ?? []);
  return E.bimap(
    (error: ImportError) => ({ ...error, file }),
    (whole: ReadDocument) => ({ ...files[0], ...whole, file }),
  )(readPages(pages, files[0].format));
};

/**
 * Joins the pages of one result that are in several files, in any order, into one document. Other files are returned
 * unchanged. Fails if the pages belong to different results.
 */
const joinPages = (files: ReadonlyArray<FileRead>): E.Either<FileError, ReadonlyArray<FileRead>> => {
  const all: FileRead[] = [];
  for (const file of files) {
    const isOfSame = ({ pages, format, wanted }: FileRead): boolean =>
      pages !== undefined && format === file.format && wanted === file.wanted;
    const [first = file, ...others] = isOfSame(file) ? files.filter(isOfSame) : [];
    if (first !== file) continue;
    const result = others.length === 0 ? E.right(file) : joined([file, ...others]);
    if (E.isLeft(result)) return result;
    all.push(result.right);
  }
  return E.right(all);
};

/** The files that were read, and those whose format was not recognised, such as licences. */
interface FilesRead {
  readonly files: ReadonlyArray<FileRead>;
  readonly skipped: ReadonlyArray<FileError>;
}

/** Reads one file after the other, which limits the memory to that for one file. Fails with the errors of all files. */
export const readFiles = <Wished extends WantedFile>(
  asked: ReadonlyArray<Wished>,
  read: (file: Wished) => E.Either<ImportError, ReadDocument>,
): E.Either<ReadonlyArray<FileError>, FilesRead> => {
  const [files, skipped, errors]: [FileRead[], FileError[], FileError[]] = [[], [], []];
  for (const one of asked) {
    const { path: file, wanted, format } = one;
    const result = read(one);
    if (E.isRight(result)) files.push({ ...result.right, file, wanted });
    else if (wanted === 'all' && format === undefined && isUnrecognised(result.left))
      skipped.push({ ...result.left, file });
    else errors.push({ ...result.left, file });
  }
  if (errors.length > 0) return E.left(errors);
  if (files.length === 0) return E.left(skipped);
  const joined = joinPages(files);
  return E.isLeft(joined) ? E.left([joined.left]) : E.right({ files: joined.right, skipped });
};
