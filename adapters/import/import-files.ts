import * as E from 'fp-ts/lib/Either.js';
import { countsOf, describeFile, describeFileError } from './import-text.js';
import { type ImportedFile, type ReadOptions, readImportFile } from './read-file.js';
import { importFormats } from './recognise-format.js';
import { type Parcel, sendImport, type Target } from './send-import.js';
import type { ServiceAccess } from './service-client.js';

/** What to import, and where to. */
export interface ImportRequest extends ServiceAccess, Target {
  readonly files: ReadonlyArray<string>;
  readonly format?: string | undefined;
  readonly recordings?: ReadonlyArray<string> | undefined;
  /** Only read the files; ask and send the service nothing. */
  readonly dryRun?: boolean | undefined;
}

/** `usage`: the request itself makes no sense; `failed`: a file or the service is at fault. */
export interface ImportFailure {
  readonly kind: 'usage' | 'failed';
  readonly messages: ReadonlyArray<string>;
}

/** What was understood and what was done, for people and for programs. */
export interface ImportReport {
  readonly text: ReadonlyArray<string>;
  readonly json: object;
}

const fail = (kind: ImportFailure['kind'], messages: ReadonlyArray<string>): E.Either<ImportFailure, never> =>
  E.left({ kind, messages });

const readOptions = ({ files, format, recordings }: ImportRequest): E.Either<ImportFailure, ReadOptions> => {
  const known = importFormats.find((name) => name === format);
  if (format !== undefined && known === undefined)
    return fail('usage', [`the format ${format} is none of ${importFormats.join(', ')}`]);
  if (format !== undefined && files.length > 1) return fail('usage', ['a given format is for one file only']);
  return E.right({ format: known, recordings });
};

const readAll = async (asked: ImportRequest): Promise<E.Either<ImportFailure, ReadonlyArray<ImportedFile>>> => {
  const options = readOptions(asked);
  if (E.isLeft(options)) return options;
  const read = await Promise.all(asked.files.map((file) => readImportFile(file, options.right)));
  const errors = read.flatMap((result) => (E.isLeft(result) ? [describeFileError(result.left)] : []));
  if (errors.length > 0) return fail('failed', errors);
  return E.right(read.flatMap((result) => (E.isRight(result) ? [result.right] : [])));
};

const pack = (files: ReadonlyArray<ImportedFile>): E.Either<ImportFailure, Parcel> => {
  const faces = files.flatMap(({ imported }) => (imported.kind === 'faces' ? [imported] : []));
  const diarisations = files.flatMap(({ imported }) => (imported.kind === 'diarisation' ? [imported] : []));
  if (faces.length > 1 || diarisations.length > 1)
    return fail('usage', [
      `one file of ${faces.length > 1 ? 'faces' : 'speaker turns'} at a time:`,
      ...files.flatMap(describeFile),
    ]);
  return E.right({ faces: faces[0] ?? null, diarisation: diarisations[0] ?? null });
};

const fileJson = ({ file, format, imported }: ImportedFile): object => {
  const { recording, rows, dropped, notes } = imported.summary;
  return { file, format, kind: imported.kind, recording, rows, ...countsOf(imported), dropped, notes };
};

/**
 * The whole import: reads every file before the service hears of any, then sends. A broken file sends nothing; a
 * failure of the service tells which steps had succeeded.
 */
export const importFiles = async (asked: ImportRequest): Promise<E.Either<ImportFailure, ImportReport>> => {
  if (asked.files.length === 0) return fail('usage', ['no file to import']);
  const files = await readAll(asked);
  if (E.isLeft(files)) return files;
  const parcel = pack(files.right);
  if (E.isLeft(parcel)) return parcel;
  const text = files.right.flatMap(describeFile);
  const json = { files: files.right.map(fileJson), video: null, audio: null };
  if (asked.dryRun === true) return E.right({ text: [...text, 'nothing sent: dry run'], json });
  const done: string[] = [];
  const sent = await sendImport(asked, parcel.right, asked, (step) => done.push(step));
  if (E.isLeft(sent)) return fail('failed', [sent.left.message, ...done.map((step) => `done before that: ${step}`)]);
  return E.right({ text: [...text, ...done], json: { ...json, ...sent.right } });
};
