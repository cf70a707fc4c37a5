import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type {
  DocumentBytes,
  DocumentFault,
  DocumentReaderFailed,
  DocumentRequest,
  ProviderDocuments,
  UnderstoodDocument,
} from '../../application/ports/provider-documents.js';
import { ByteInput } from './byte-input.js';
import { DocumentAnswer } from './document-messages.js';
import { importFormats } from './format-names.js';
import { compiledScript } from '../runtime/package-files.js';

export interface ProviderDocumentReader extends ProviderDocuments {
  /** Ends the processes. Documents that are being read fail. */
  readonly close: () => Promise<void>;
}

type DocumentOutcome = E.Either<DocumentFault | DocumentReaderFailed, UnderstoodDocument>;

/** A child process that reads documents one after the other. */
interface DocumentLane {
  readonly read: (document: DocumentBytes, request: DocumentRequest) => Promise<DocumentOutcome>;
  /** Ends the process. The document that is being read and those that are queued fail. */
  readonly close: () => Promise<void>;
}

interface LaneSettings {
  /** The heap limit of the process. */
  readonly megabytes: number;
  /** How long the idle process is kept after a document. */
  readonly idleMs: number;
}

const readTimeoutMs = 60_000;

const script = fileURLToPath(compiledScript('import/document-process.js'));

/** The signals and exit code of a process that ran out of memory. */
const outOfMemoryExits: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 134]);

const tooExpensive: DocumentFault = {
  _tag: 'UnreadableDocument',
  path: '',
  message: 'reading the document takes more memory or time than the service allows; send it in parts',
};

const readerFailed = (reason: string): DocumentOutcome => E.left({ _tag: 'DocumentReaderFailed', reason });

/** Resolves when the bytes were handed to the process, or when that has failed. */
const write = (input: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    input.write(bytes, () => resolve());
  });

/** Writes a document with backpressure. Blocks are copied, because their memory may be reused. */
const send = async (input: Writable, { blocks, length }: DocumentBytes): Promise<void> => {
  let left = length;
  for (const block of blocks) {
    const piece = Buffer.from(block.subarray(0, left));
    left -= piece.length;
    // oxlint-disable-next-line no-await-in-loop -- backpressure
    await write(input, piece);
    if (input.destroyed) return;
  }
};

const parseJson = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

/** Reads an answer and the bodies that follow it, the video's first. Null if the stream ends too early. */
const readAnswer = async (input: ByteInput, line: string): Promise<DocumentOutcome | null> => {
  const answer = parseJson(line);
  if (!DocumentAnswer.is(answer)) return readerFailed('the process gave no answer');
  if ('fault' in answer) return E.left({ _tag: 'UnreadableDocument', ...answer.fault });
  const video = answer.video === null ? null : await input.whole(answer.video);
  const audio = answer.audio === null ? null : await input.whole(answer.audio);
  const isTruncated = (answer.video !== null && video === null) || (answer.audio !== null && audio === null);
  return isTruncated ? null : E.right({ understood: answer.understood, video, audio });
};

/** A running child process. */
interface Reader {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly read: (document: DocumentBytes, request: DocumentRequest) => Promise<DocumentOutcome>;
}

const startReader = (megabytes: number): Reader => {
  const child = spawn(process.execPath, [`--max-old-space-size=${megabytes}`, script], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = new Promise<unknown>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
    child.once('error', (error) => resolve(error.message));
  });
  child.stdin.on('error', () => undefined);
  const input = new ByteInput(child.stdout);
  const read = async (document: DocumentBytes, request: DocumentRequest): Promise<DocumentOutcome> => {
    child.stdin.write(`${JSON.stringify({ request, length: document.length })}\n`);
    const sending = send(child.stdin, document);
    const line = await input.line();
    const outcome = line === null ? null : await readAnswer(input, line);
    await sending;
    if (outcome !== null) return outcome;
    const how = await ended;
    return outOfMemoryExits.has(how) ? E.left(tooExpensive) : readerFailed(`the process ended with ${String(how)}`);
  };
  return { child, ended, read };
};

/** A lane starts its process for the first document and ends it when it has been idle for a while. */
const documentLane = ({ megabytes, idleMs }: LaneSettings): DocumentLane => {
  let reader: Reader | null = null;
  let idleTimer: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const end = async (): Promise<void> => {
    const ending = reader;
    reader = null;
    ending?.child.kill('SIGKILL');
    await ending?.ended;
  };
  const readNow = async (document: DocumentBytes, request: DocumentRequest): Promise<DocumentOutcome> => {
    if (closed) return readerFailed('the service is shutting down');
    if (idleTimer !== null) clearTimeout(idleTimer);
    reader ??= startReader(megabytes);
    const stop = new AbortController();
    const timeout = setTimeout(readTimeoutMs, 'timeout' as const, { signal: stop.signal }).catch(
      () => 'timeout' as const,
    );
    const outcome = await Promise.race([reader.read(document, request), timeout]);
    stop.abort();
    const hasExited = reader?.child.exitCode !== null || reader.child.signalCode !== null;
    const hasFailed = outcome !== 'timeout' && E.isLeft(outcome) && outcome.left._tag === 'DocumentReaderFailed';
    if (outcome === 'timeout' || hasFailed || hasExited || idleMs === 0) await end();
    else idleTimer = globalThis.setTimeout(() => void end(), idleMs).unref();
    return outcome === 'timeout' ? E.left(tooExpensive) : outcome;
  };
  return {
    read: (document, request) => {
      const reading = last.then(() => readNow(document, request));
      last = reading.catch(constVoid);
      return reading;
    },
    close: async () => {
      closed = true;
      if (idleTimer !== null) clearTimeout(idleTimer);
      await end();
    },
  };
};

const mebibyte = 1024 * 1024;
/** Larger documents have a process of their own, so that small ones do not wait for them. */
const maxSmallBytes = 2 * mebibyte;
const smallIdleMs = 30_000;

/**
 * Reads documents that are sent to the service, with the readers of the import command. They run in child processes,
 * because a large document takes seconds and a hostile one can exhaust the memory. The process for large documents ends
 * after each of them.
 */
export const providerDocuments = (): ProviderDocumentReader => {
  const lanes = {
    small: documentLane({ megabytes: 96, idleMs: smallIdleMs }),
    large: documentLane({ megabytes: 192, idleMs: 0 }),
  };
  return {
    formats: importFormats,
    read: (document, request) => () =>
      (document.length > maxSmallBytes ? lanes.large : lanes.small).read(document, request),
    close: async () => {
      await Promise.all([lanes.small.close(), lanes.large.close()]);
    },
  };
};
