import * as E from 'fp-ts/lib/Either.js';
import { isSupplied } from './format-names.js';
import type { ImportedFaces, ImportedSpeech } from './imported.js';
import { joinSpeech } from './join-speech.js';
import type { ImportedFile } from './read-document.js';
import type { Wanted } from './wanted-files.js';

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
