import * as E from 'fp-ts/lib/Either.js';
import type { ImportedFaces, ImportedSpeech, ImportError } from './imported.js';
import { joinSpeech } from './join-speech.js';
import type { ImportedFile } from './read-file.js';
import type { ImportFormat } from './format-names.js';
import type { Wanted } from './wanted-files.js';

/** What is to be sent: faces, speech, or both of one medium. */
export interface Parcel {
  readonly faces: ImportedFaces | null;
  readonly speech: ImportedSpeech | null;
  /** The transcript came with the recording: it is not our own analysis. */
  readonly provider_supplied: boolean;
  /** Of which files the speech was put together; null where one file says all of it. */
  readonly joined: { readonly turns: string; readonly transcript: string } | null;
}

/** `contents`: a file does not hold what is wanted of it; `choice`: there is more than one of something. */
export interface PackingFault {
  readonly kind: 'contents' | 'choice';
  readonly message: string;
}

type Read = ImportedFile & { readonly wanted: Wanted };

/** Transcripts that come with a recording, from people or a meeting's platform: not what a recogniser heard. */
const supplied: ReadonlySet<ImportFormat> = new Set(['webvtt', 'zoom_vtt', 'srt']);

/** Whether a transcript of this format is provider-supplied when nobody says so. */
export const isSupplied = (format: ImportFormat): boolean => supplied.has(format);

const lacking = ({ file, wanted, imported: { faces, speech } }: Read): PackingFault | null => {
  const holds = {
    all: true,
    faces: faces !== null,
    diarisation: speech !== null && speech.segments.length > 0,
    transcript: speech !== null && speech.transcript !== null,
  };
  return holds[wanted] ? null : { kind: 'contents', message: `${file}: the file holds no ${nouns[wanted]}` };
};

const nouns = {
  all: 'faces or speech',
  faces: 'faces',
  diarisation: 'speaker turns',
  transcript: 'transcript',
} as const;

const single = (files: ReadonlyArray<Read>, what: string): E.Either<PackingFault, Read | null> =>
  files.length > 1
    ? E.left({ kind: 'choice', message: `one file of ${what} at a time: ${files.map(({ file }) => file).join(', ')}` })
    : E.right(files[0] ?? null);

/** Which file's turns and which file's transcript count. A file that is wanted for all may serve as either. */
const chooseSpeech = (
  files: ReadonlyArray<Read>,
): E.Either<PackingFault, { turns: Read | null; words: Read | null }> => {
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

const speechOf = (turns: Read | null, words: Read | null): E.Either<ImportError, ImportedSpeech | null> => {
  const [first, second] = [turns?.imported.speech ?? null, words?.imported.speech ?? null];
  if (first === null || second === null) {
    const alone = turns !== null && turns.wanted === 'diarisation' && first !== null;
    return E.right(alone ? { ...first, transcript: null } : (first ?? second));
  }
  return joinSpeech(first, second);
};

/** Makes one parcel of what was read; `declared` says whose the transcript is, null leaves it to its format. */
export const packFiles = (files: ReadonlyArray<Read>, declared: boolean | null): E.Either<PackingFault, Parcel> => {
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
  const speech = speechOf(turns, words);
  if (E.isLeft(speech)) return E.left({ kind: 'contents', message: speech.left.message });
  return E.right({
    faces: faces.right?.imported.faces ?? null,
    speech: speech.right,
    provider_supplied: declared ?? (words !== null && isSupplied(words.format)),
    joined: turns === null || words === null ? null : { turns: turns.file, transcript: words.file },
  });
};
