import * as E from 'fp-ts/lib/Either.js';
import { isSupplied, type FormatName, importFormats } from './format-names.js';
import type { ImportedFaces, ImportedSpeech } from './format.js';
import { joinSpeech } from './join-speech.js';
import type { ImportedFile } from './read-document.js';

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

/** What is imported from a file: everything or one part. */
export type Wanted = 'all' | Part;

const parts = ['faces', 'diarisation', 'transcript'] as const;
type Part = (typeof parts)[number];

interface PartOfFile {
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
interface WantedFile extends PartOfFile {
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

/** What is sent to the service: faces, speech or both of one recording. */
export interface ImportContent {
  readonly faces: ImportedFaces | null;
  readonly speech: ImportedSpeech | null;
  /** Whether the transcript came with the recording instead of our own analysis. */
  readonly provider_supplied: boolean;
  /** The files from which speech was joined; null if it is from one file. */
  readonly joined: { readonly turns: string; readonly transcript: string } | null;
}

/** `contents`: a file lacks what it was given for; `choice`: several files have the same content. */
export interface CombiningFault {
  readonly kind: 'contents' | 'choice';
  readonly message: string;
}

type Read = ImportedFile & { readonly wanted: Wanted };

const lacking = ({ file, wanted, imported: { faces, speech } }: Read): CombiningFault | null => {
  const holds = {
    all: true,
    faces: faces !== null,
    diarisation: speech !== null && speech.segments.length > 0,
    transcript: speech !== null && speech.transcript !== null,
  };
  return holds[wanted] ? null : { kind: 'contents', message: `${file}: the file contains no ${nouns[wanted]}` };
};

const nouns = {
  all: 'faces or speech',
  faces: 'faces',
  diarisation: 'speaker turns',
  transcript: 'transcript',
} as const;

const single = (files: ReadonlyArray<Read>, what: string): E.Either<CombiningFault, Read | null> =>
  files.length > 1
    ? E.left({
        kind: 'choice',
        message: `only one file of ${what} can be imported at a time: ${files.map(({ file }) => file).join(', ')}`,
      })
    : E.right(files[0] ?? null);

/** The file whose turns and the file whose transcript are used. A file that is wanted for all may serve as either. */
const chooseSpeech = (
  files: ReadonlyArray<Read>,
): E.Either<CombiningFault, { turns: Read | null; words: Read | null }> => {
  const speaking = files.filter(({ wanted, imported }) => wanted === 'all' && imported.speech !== null);
  const wordsFor = files.filter(({ wanted }) => wanted === 'transcript');
  const turnsFor = files.filter(({ wanted }) => wanted === 'diarisation');
  const withWords = speaking.filter(({ imported }) => imported.speech?.transcript !== null);
  const turnsAlone = speaking.filter(({ imported }) => imported.speech?.transcript === null);
  const words = single([...wordsFor, ...withWords], 'transcript');
  if (E.isLeft(words)) return words;
  const turns = single([...turnsFor, ...turnsAlone], 'speaker turns');
  if (E.isLeft(turns)) return turns;
  return E.right({ turns: turns.right, words: words.right });
};

const speechOf = (turns: Read | null, words: Read | null): ImportedSpeech | null => {
  const [first, second] = [turns?.imported.speech ?? null, words?.imported.speech ?? null];
  if (first === null || second === null) {
    const alone = turns !== null && turns.wanted === 'diarisation' && first !== null;
    return alone ? { ...first, transcript: null } : (first ?? second);
  }
  return joinSpeech(first, second);
};

/** Combines the files. `declared`: whether the transcript is provider-supplied; null: the format decides. */
export const combineFiles = (
  files: ReadonlyArray<Read>,
  declared: boolean | null,
): E.Either<CombiningFault, ImportContent> => {
  for (const file of files) {
    const fault = lacking(file);
    if (fault !== null) return E.left(fault);
  }
  const faces = single(
    files.filter(({ wanted, imported }) => imported.faces !== null && (wanted === 'all' || wanted === 'faces')),
    'faces',
  );
  if (E.isLeft(faces)) return faces;
  const chosen = chooseSpeech(files);
  if (E.isLeft(chosen)) return chosen;
  const { turns, words } = chosen.right;
  return E.right({
    faces: faces.right?.imported.faces ?? null,
    speech: speechOf(turns, words),
    provider_supplied: declared ?? (words !== null && isSupplied(words.format)),
    joined: turns === null || words === null ? null : { turns: turns.file, transcript: words.file },
  });
};
