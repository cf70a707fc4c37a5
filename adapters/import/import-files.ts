import { createHash } from 'node:crypto';
import * as E from 'fp-ts/lib/Either.js';
import { audioAnalysis, videoAnalysis } from './analysis-bodies.js';
import type { Progress } from './file-lines.js';
import { describeFile, describeFileError, describeJoin, joinUnderstanding, understanding } from './import-text.js';
import { type FileError, notRecognised } from './imported.js';
import { joinPages } from './join-pages.js';
import { packFiles, type Parcel } from './pack-files.js';
import { type ImportedFile, readImportFile } from './read-file.js';
import { sendImport, type Target } from './send-import.js';
import type { ServiceAccess } from './service-client.js';
import { type FileChoice, type Wanted, wantedFiles } from './wanted-files.js';

/** What to import, and where to. */
export interface ImportRequest extends ServiceAccess, Target, FileChoice {
  readonly recordings?: ReadonlyArray<string> | undefined;
  /** Did the transcript come with the recording? Left to its format where it is not said. */
  readonly providerSupplied?: boolean | undefined;
  /** Only read the files; ask and send the service nothing. */
  readonly dryRun?: boolean | undefined;
  readonly progress?: ((file: string, ...bytes: Parameters<Progress>) => void) | undefined;
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

type WantedRead = ImportedFile & { readonly wanted: Wanted };

const fail = (kind: ImportFailure['kind'], messages: ReadonlyArray<string>): E.Either<ImportFailure, never> =>
  E.left({ kind, messages });

interface ReadFiles {
  readonly files: ReadonlyArray<WantedRead>;
  /** Files beside these that hold no media, such as licences and lists. */
  readonly skipped: ReadonlyArray<string>;
}

const holdsNoMedia = ({ message }: FileError): boolean => message === notRecognised.message;

/** One file after the other, so that the memory of reading is that of one. */
const readAll = async (asked: ImportRequest): Promise<E.Either<ImportFailure, ReadFiles>> => {
  const wantedOnes = wantedFiles(asked);
  if (E.isLeft(wantedOnes)) return fail('usage', [wantedOnes.left]);
  const errors: string[] = [];
  const unrecognised: FileError[] = [];
  const read: WantedRead[] = [];
  for (const { path, wanted, format } of wantedOnes.right) {
    const progress: Progress = (...bytes) => asked.progress?.(path, ...bytes);
    // oxlint-disable-next-line no-await-in-loop -- see above
    const result = await readImportFile(path, { format, recordings: asked.recordings }, progress);
    if (E.isLeft(result) && holdsNoMedia(result.left) && wanted === 'all' && format === undefined)
      unrecognised.push(result.left);
    else if (E.isLeft(result)) errors.push(describeFileError(result.left));
    else read.push({ ...result.right, wanted });
  }
  if (errors.length > 0) return fail('failed', errors);
  if (read.length === 0) return fail('failed', unrecognised.map(describeFileError));
  const joined = joinPages(read);
  if (E.isLeft(joined)) return fail('failed', [describeFileError(joined.left)]);
  return E.right({ files: joined.right, skipped: unrecognised.map(({ file }) => file) });
};

/** What the files call the recording: those of faces before those of speech. */
const titleIn = (files: ReadonlyArray<WantedRead>): string | null => {
  const [faces, speech] = [files.map(({ imported }) => imported.faces), files.map(({ imported }) => imported.speech)];
  return [...faces, ...speech].flatMap((part) => part?.summary.recording ?? [])[0] ?? null;
};

/** Without an id, what the files say is the id: the same files again are the same medium. */
const targetOf = (asked: ImportRequest, { faces, speech, provider_supplied }: Parcel): Target => {
  const said = [faces && videoAnalysis(faces), speech && audioAnalysis(speech, provider_supplied)];
  const id = `import-${createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 24)}`;
  return {
    videoId: asked.videoId ?? (faces === null ? undefined : id),
    audioId: asked.audioId ?? (faces === null && asked.videoId === undefined ? id : undefined),
  };
};

/** What is not of one file: how speech was joined, and whose the transcript is. */
const describeSpeech = ({ speech, joined, provider_supplied }: Parcel): ReadonlyArray<string> => {
  if (speech === null || speech.transcript === null) return [];
  return [
    ...(joined === null ? [] : describeJoin(joined, speech)),
    `transcript: ${provider_supplied ? 'provider-supplied, no names are inferred from it' : 'our own analysis'}`,
  ];
};

const speechUnderstanding = ({ speech, joined, provider_supplied }: Parcel): object => ({
  provider_supplied,
  joined: speech === null || joined === null ? null : joinUnderstanding(joined, speech),
});

/**
 * The whole import: reads every file before the service hears of any, then sends. A broken file sends nothing; a
 * failure of the service tells which steps had succeeded. The same import again changes nothing.
 */
export const importFiles = async (asked: ImportRequest): Promise<E.Either<ImportFailure, ImportReport>> => {
  const read = await readAll(asked);
  if (E.isLeft(read)) return read;
  const { files, skipped } = read.right;
  const parcel = packFiles(files, asked.providerSupplied ?? null);
  if (E.isLeft(parcel)) {
    const { kind, message } = parcel.left;
    return kind === 'choice' ? fail('usage', [message, ...files.flatMap(describeFile)]) : fail('failed', [message]);
  }
  const title = asked.title ?? titleIn(files) ?? undefined;
  const text = [
    ...files.flatMap(describeFile),
    ...skipped.map((file) => `${file}: holds no media, skipped`),
    ...describeSpeech(parcel.right),
  ];
  const json = {
    files: files.map((one) => ({ file: one.file, ...understanding(one) })),
    skipped,
    ...speechUnderstanding(parcel.right),
    video: null,
    audio: null,
  };
  if (asked.dryRun === true) return E.right({ text: [...text, 'nothing sent: dry run'], json });
  const done: string[] = [];
  const target = { ...targetOf(asked, parcel.right), title };
  const sent = await sendImport(asked, parcel.right, target, (step) => done.push(step));
  if (E.isLeft(sent)) return fail('failed', [sent.left.message, ...done.map((step) => `done before that: ${step}`)]);
  return E.right({ text: [...text, ...done], json: { ...json, ...sent.right } });
};
