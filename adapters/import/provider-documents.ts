import { availableParallelism } from 'node:os';
import * as E from 'fp-ts/lib/Either.js';
import { Piscina } from 'piscina';
import type {
  DocumentFault,
  DocumentReaderFailed,
  ProviderDocuments,
  UnderstoodDocument,
} from '../../application/ports/provider-documents.js';
import type { DocumentTask } from './read-provider-document.js';
import { importFormats } from './recognise-format.js';

export interface ProviderDocumentReader extends ProviderDocuments {
  /** Ends the threads; documents under way are broken off. */
  readonly close: () => Promise<void>;
}

const longestReading = 120_000;
const idleThread = 30_000;

/** A document of 100 MiB takes about 1 GB to read. */
const mostMegabytes = 2_048;

type Answer = E.Either<DocumentFault, UnderstoodDocument>;

const ranOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const failure = (error: unknown, timedOut: boolean): DocumentFault | DocumentReaderFailed =>
  timedOut || ranOutOfMemory(error)
    ? {
        _tag: 'UnreadableDocument',
        path: '',
        message: 'reading the document takes more memory or time than the service gives it: send it in parts',
      }
    : { _tag: 'DocumentReaderFailed', reason: error instanceof Error ? error.message : String(error) };

/** Only bytes that share their memory with no others can be handed over; others are copied. */
const ownMemory = ({ buffer, byteLength }: Uint8Array): ReadonlyArray<ArrayBuffer> =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];

/**
 * The readers of the import command, for documents that are sent to the service. They read in worker threads: a
 * large document takes seconds, for which the service would answer nobody.
 */
export const providerDocuments = (): ProviderDocumentReader => {
  const pool = new Piscina<DocumentTask, Answer>({
    filename: new URL('./read-provider-document.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: idleThread,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  return {
    formats: importFormats,
    read: (bytes, request) => async () => {
      const signal = AbortSignal.timeout(longestReading);
      try {
        return await pool.run({ bytes, request }, { signal, transferList: [...ownMemory(bytes)] });
      } catch (error) {
        return E.left(failure(error, signal.aborted));
      }
    },
    close: () => pool.destroy(),
  };
};
