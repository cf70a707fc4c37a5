import * as E from 'fp-ts/lib/Either.js';
import { type NonEmptyArray, groupBy } from 'fp-ts/lib/NonEmptyArray.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type FormatName, importFormats, isSupplied } from './format-names.js';
import {
  type FileError,
  type Imported,
  type ImportedFaces,
  type ImportedSpeech,
  type ImportError,
  isUnrecognised,
} from './format.js';
import { joinSpeech } from './build-speech.js';
import { type ReadDocument, readDocument } from './read-document.js';

/* The files of one recording: which they are, reading them, and what is taken from each. */

/** What is imported from a file: everything or one part. */
type Wanted = 'all' | Part;

const parts = ['faces', 'diarisation', 'transcript'] as const;
type Part = (typeof parts)[number];

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
interface WantedFile {
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

/** Joins pages of one result, in any order. Fails if they belong to different results. Other files stay as they are. */
const joinPages = (files: NonEmptyArray<FileRead>): E.Either<FileError, ReadonlyArray<FileRead>> => {
  const [first] = files;
  if (first.pages === undefined || files.length === 1) return E.right(files);
  const file = files.map((one) => one.file).join(', ');
  const pages = JSON.stringify(files.flatMap((one) => one.pages ?? []));
  return pipe(
    readDocument([Buffer.from(pages)], { format: first.format }),
    E.bimap(
      (error) => ({ ...error, file }),
      (whole) => [{ ...first, ...whole, file }],
    ),
  );
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
  return pipe(
    files,
    groupBy(({ pages, format, wanted, file }) => (pages === undefined ? `file ${file}` : `pages ${format} ${wanted}`)),
    Object.values<NonEmptyArray<FileRead>>,
    E.traverseArray(joinPages),
    E.bimap(
      (error) => [error],
      (all) => ({ files: all.flat(), skipped }),
    ),
  );
};

/** The body of `PUT /v2/videos/{video_id}/analysis`. */
export const videoAnalysis = ({ faces }: ImportedFaces): object => ({
  status: 'completed',
  faces: faces.map(({ id, name, tracks, talking, boxes }) => ({
    id,
    name,
    tracks,
    ...(talking.length === 0 ? {} : { talking }),
    ...(boxes.length === 0 ? {} : { boxes }),
  })),
});

/**
 * The body of `PUT /v2/audios/{audio_id}/analysis`. Unknown values and the defaults of the endpoint are omitted.
 */
export const audioAnalysis = ({ speakers, segments, transcript }: ImportedSpeech, supplied: boolean): object => ({
  status: 'completed',
  speakers: speakers.map(({ speaker_id, name, role, synthetic }) => ({
    speaker_id,
    ...(name === null ? {} : { name }),
    ...(role === null ? {} : { role }),
    ...(synthetic ? { synthetic } : {}),
  })),
  segments,
  ...(transcript === null ? {} : { transcript: transcript.utterances, provider_supplied: supplied }),
});

/** What is sent to the service: faces, speech or both of one recording. */
export interface ImportContent extends Imported {
  /** Whether the transcript came with the recording instead of our own analysis. */
  readonly provider_supplied: boolean;
  /** The files from which speech was joined; null if it is from one file. */
  readonly joined: { readonly turns: string; readonly transcript: string } | null;
}

/** `contents`: a file lacks what it was given for; `choice`: several files have the same content. */
interface CombiningFault {
  readonly kind: 'contents' | 'choice';
  readonly message: string;
}

/** What the parts are called in messages. */
const nouns = { faces: 'faces', transcript: 'transcript', diarisation: 'speaker turns' } as const;

const holds = ({ imported: { faces, speech } }: FileRead, part: Part): boolean => {
  const has = {
    faces: faces !== null,
    transcript: (speech?.transcript ?? null) !== null,
    diarisation: speech !== null && speech.segments.length > 0,
  };
  return has[part];
};

/** Whether a part is taken from a file. Of a file that is wanted for all, turns are taken if it has no transcript. */
const serves = (file: FileRead, part: Part): boolean =>
  file.wanted === part ||
  (file.wanted === 'all' && holds(file, part) && (part !== 'diarisation' || !holds(file, 'transcript')));

const speechOf = (turns: FileRead | undefined, words: FileRead | undefined): ImportedSpeech | null => {
  const [first, second] = [turns?.imported.speech ?? null, words?.imported.speech ?? null];
  if (first === null || second === null) {
    const alone = turns?.wanted === 'diarisation' && first !== null;
    return alone ? { ...first, transcript: null } : (first ?? second);
  }
  return joinSpeech(first, second);
};

/** Combines the files. `declared`: whether the transcript is provider-supplied; null: the format decides. */
export const combineFiles = (
  files: ReadonlyArray<FileRead>,
  declared: boolean | null,
): E.Either<CombiningFault, ImportContent> => {
  for (const one of files)
    if (one.wanted !== 'all' && !holds(one, one.wanted))
      return E.left({ kind: 'contents', message: `${one.file}: the file contains no ${nouns[one.wanted]}` });
  for (const part of parts) {
    const several = files.filter((one) => serves(one, part)).map(({ file }) => file);
    const message = `only one file of ${nouns[part]} can be imported at a time: ${several.join(', ')}`;
    if (several.length > 1) return E.left({ kind: 'choice', message });
  }
  const [faces, turns, words] = parts.map((part) => files.find((one) => serves(one, part)));
  return E.right({
    faces: faces?.imported.faces ?? null,
    speech: speechOf(turns, words),
    provider_supplied: declared ?? (words !== undefined && isSupplied(words.format)),
    joined: turns === undefined || words === undefined ? null : { turns: turns.file, transcript: words.file },
  });
};
