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
  UnderstoodDocument,
} from '../../application/ports/provider-documents.js';
import { ByteInput } from './byte-input.js';
import { DocumentAnswer } from './document-messages.js';
import { compiledScript } from '../runtime/package-files.js';

/** What became of a document. */
export type DocumentOutcome = E.Either<DocumentFault | DocumentReaderFailed, UnderstoodDocument>;

/** Reads documents one after the other, in a process of its own. */
export interface DocumentLane {
  readonly read: (document: DocumentBytes, request: DocumentRequest) => Promise<DocumentOutcome>;
  /** Ends the process; the document under way is broken off, and those that wait are not read. */
  readonly close: () => Promise<void>;
}

interface LaneSettings {
  /** How much memory the objects of the process may take. */
  readonly megabytes: number;
  /** For how long the process is kept after a document, in milliseconds. */
  readonly idle_ms: number;
}

/** For so long one document may be read, in milliseconds. */
const longestReading = 60_000;

const script = fileURLToPath(compiledScript('import/document-process.js'));

/** How a process ends that finds no more memory. */
const outOfMemory: ReadonlySet<unknown> = new Set(['SIGABRT', 'SIGTRAP', 'SIGILL', 134]);

const tooMuch: DocumentFault = {
  _tag: 'UnreadableDocument',
  path: '',
  message: 'reading the document takes more memory or time than the service gives it: send it in parts',
};

const readerFailed = (reason: string): DocumentOutcome => E.left({ _tag: 'DocumentReaderFailed', reason });

/** Resolves once what was written is gone, or never will be. */
const written = (input: Writable, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    input.write(bytes, () => resolve());
  });

/** Writes as fast as is read. The memory of a block may be another's soon, so it is copied. */
const send = async (input: Writable, { blocks, length }: DocumentBytes): Promise<void> => {
  let left = length;
  for (const block of blocks) {
    const piece = Buffer.from(block.subarray(0, left));
    left -= piece.length;
    // oxlint-disable-next-line no-await-in-loop -- the wait is what it is for
    await written(input, piece);
    if (input.destroyed) return;
  }
};

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
};

/** The bodies of an answer follow it, first the video's. */
const answered = async (input: ByteInput, line: string): Promise<DocumentOutcome | null> => {
  const answer = parsed(line);
  if (!DocumentAnswer.is(answer)) return readerFailed('the process gave no answer');
  if ('fault' in answer) return E.left({ _tag: 'UnreadableDocument', ...answer.fault });
  const video = answer.video === null ? null : await input.whole(answer.video);
  const audio = answer.audio === null ? null : await input.whole(answer.audio);
  const isCut = (answer.video !== null && video === null) || (answer.audio !== null && audio === null);
  return isCut ? null : E.right({ understood: answer.understood, video, audio });
};

/** A process that is ready for a document. */
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
    const outcome = line === null ? null : await answered(input, line);
    await sending;
    if (outcome !== null) return outcome;
    const how = await ended;
    return outOfMemory.has(how) ? E.left(tooMuch) : readerFailed(`the process ended with ${String(how)}`);
  };
  return { child, ended, read };
};

/** A lane of documents. Its process is started when one comes, and ended when none came for a while. */
export const documentLane = ({ megabytes, idle_ms }: LaneSettings): DocumentLane => {
  let reader: Reader | null = null;
  let idle: NodeJS.Timeout | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;

  const end = async (): Promise<void> => {
    const ending = reader;
    reader = null;
    ending?.child.kill('SIGKILL');
    await ending?.ended;
  };
  const readNow = async (document: DocumentBytes, request: DocumentRequest): Promise<DocumentOutcome> => {
    if (closed) return readerFailed('the service ends');
    if (idle !== null) clearTimeout(idle);
    reader ??= startReader(megabytes);
    const stop = new AbortController();
    const late = setTimeout(longestReading, 'late' as const, { signal: stop.signal }).catch(() => 'late' as const);
    const outcome = await Promise.race([reader.read(document, request), late]);
    stop.abort();
    const isOver = reader?.child.exitCode !== null || reader.child.signalCode !== null;
    const isOut = outcome !== 'late' && E.isLeft(outcome) && outcome.left._tag === 'DocumentReaderFailed';
    if (outcome === 'late' || isOut || isOver || idle_ms === 0) await end();
    else idle = globalThis.setTimeout(() => void end(), idle_ms).unref();
    return outcome === 'late' ? E.left(tooMuch) : outcome;
  };
  return {
    read: (document, request) => {
      const reading = last.then(() => readNow(document, request));
      last = reading.catch(constVoid);
      return reading;
    },
    close: async () => {
      closed = true;
      if (idle !== null) clearTimeout(idle);
      await end();
    },
  };
};
