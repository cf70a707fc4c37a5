import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { describeFile, describeFileError, describeSpeech, filesUnderstanding, importTable } from './import-text.js';
import { formatNotRecognised } from './format.js';
import { readImportFile } from './read-document.js';
import {
  type FileChoice,
  type FileRead,
  type ImportContent,
  audioAnalysis,
  combineFiles,
  readFiles,
  videoAnalysis,
  wantedFiles,
} from './recording-files.js';
import { sendImport, type Target, type ServiceAccess } from './send-import.js';
import type { Progress } from './text.js';

/** What to import, and where to. */
export interface ImportRequest extends ServiceAccess, Target, FileChoice {
  /** The recordings to import of files that contain several. */
  readonly recording?: ReadonlyArray<string> | undefined;
  /** Frames a second, for files that count frames. */
  readonly fps?: number | undefined;
  /** Whether the transcript came with the recording; if undefined, the format decides. */
  readonly providerSupplied?: boolean | undefined;
  /** Only read the files and send no requests to the service. */
  readonly dryRun?: boolean | undefined;
  readonly progress?: ((file: string, ...bytes: Parameters<Progress>) => void) | undefined;
}

/** `usage`: the options are invalid; `failed`: a file cannot be imported or a request failed. */
interface ImportFailure {
  readonly kind: 'usage' | 'failed';
  readonly messages: ReadonlyArray<string>;
}

/** What was understood and what was done, for people and for programs. */
interface ImportReport {
  readonly text: ReadonlyArray<string>;
  /** A row of counts for each file, under the names of the columns. */
  readonly table: ReadonlyArray<ReadonlyArray<string>>;
  readonly json: object;
  /** Whether every file was imported; a file of no supported format is not. */
  readonly complete: boolean;
}

const fail = (kind: ImportFailure['kind'], messages: ReadonlyArray<string>): E.Either<ImportFailure, never> =>
  E.left({ kind, messages });

/** The recording's name in the files, preferably in those with faces. */
const titleIn = (files: ReadonlyArray<FileRead>): string | null => {
  const [faces, speech] = [files.map(({ imported }) => imported.faces), files.map(({ imported }) => imported.speech)];
  return [...faces, ...speech].flatMap((part) => part?.summary.recording ?? [])[0] ?? null;
};

/** Without given ids, ids are derived from the content, so that importing the same files again updates the same records. */
const targetOf = (asked: ImportRequest, { faces, speech, provider_supplied }: ImportContent): Target => {
  const said = [faces && videoAnalysis(faces), speech && audioAnalysis(speech, provider_supplied)];
  const id = `import-${createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 24)}`;
  return {
    videoId: asked.videoId ?? (faces === null ? undefined : id),
    audioId: asked.audioId ?? (faces === null && asked.videoId === undefined ? id : undefined),
  };
};

/**
 * Imports files: reads all of them, then sends their content. If a file is invalid, nothing is sent. If a request fails,
 * the failure lists the steps that had succeeded. Repeating an import changes nothing.
 */
export const importFiles = async (asked: ImportRequest): Promise<E.Either<ImportFailure, ImportReport>> => {
  const wanted = wantedFiles(asked);
  if (E.isLeft(wanted)) return fail('usage', [wanted.left]);
  const { recording: recordings, fps, progress } = asked;
  const read = readFiles(wanted.right, ({ path, format }) =>
    readImportFile(path, { format, recordings, fps }, (...bytes) => progress?.(path, ...bytes)),
  );
  if (E.isLeft(read)) return fail('failed', read.left.map(describeFileError));
  const { files } = read.right;
  const skipped = read.right.skipped.map(({ file }) => file);
  const content = combineFiles(files, asked.providerSupplied ?? null);
  if (E.isLeft(content)) {
    const { kind, message } = content.left;
    return kind === 'choice' ? fail('usage', [message, ...files.flatMap(describeFile)]) : fail('failed', [message]);
  }
  const title = asked.title ?? titleIn(files) ?? undefined;
  const text = [
    ...files.flatMap(describeFile),
    ...skipped.map((file) => `${file}: ${formatNotRecognised.message}`),
    ...describeSpeech(content.right),
  ];
  const json = {
    ...filesUnderstanding(files, skipped, content.right),
    provider_supplied: content.right.provider_supplied,
    video: null,
    audio: null,
  };
  const complete = skipped.length === 0;
  const table = importTable(files, skipped);
  if (asked.dryRun === true) return E.right({ text: [...text, 'dry run: nothing was sent'], table, json, complete });
  const done: string[] = [];
  const target = { ...targetOf(asked, content.right), title };
  const sent = await sendImport(asked, content.right, target, (step) => done.push(step));
  if (E.isLeft(sent)) return fail('failed', [sent.left, ...done.map((step) => `already done: ${step}`)]);
  return E.right({ text: [...text, ...done], table, json: { ...json, ...sent.right }, complete });
};
