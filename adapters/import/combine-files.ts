import * as E from 'fp-ts/lib/Either.js';
import { isSupplied } from './format-names.js';
import type { Imported, ImportedFaces, ImportedSpeech } from './format.js';
import { joinSpeech } from './join-speech.js';
import type { FileRead, Part } from './read-files.js';

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
export interface CombiningFault {
  readonly kind: 'contents' | 'choice';
  readonly message: string;
}

/** What a file may be asked for, and what it is called in messages. */
const nouns = { faces: 'faces', transcript: 'transcript', diarisation: 'speaker turns' } as const;
const parts = ['faces', 'transcript', 'diarisation'] as const;

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
  const [faces, words, turns] = parts.map((part) => files.find((one) => serves(one, part)));
  return E.right({
    faces: faces?.imported.faces ?? null,
    speech: speechOf(turns, words),
    provider_supplied: declared ?? (words !== undefined && isSupplied(words.format)),
    joined: turns === undefined || words === undefined ? null : { turns: turns.file, transcript: words.file },
  });
};
