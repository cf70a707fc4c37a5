import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type {
  DocumentFault,
  DocumentRequest,
  DocumentReaderFailed,
  ProviderDocuments,
  UnderstoodDocument,
  Understanding,
} from '../../application/ports/provider-documents.js';
import { nullable, Finite } from '../../domain/kernel/recorded-event.js';
import { TooLate } from '../runtime/clock.js';
import { instanceCodec } from '../../domain/kernel/instance-codec.js';
import { type Threads, isOutOfMemory } from '../runtime/threads.js';
import { importFormats } from './format-names.js';

/** A document as it is posted to a thread. */
export interface DocumentTask {
  readonly bytes: Uint8Array;
  readonly request: DocumentRequest;
}

const Bytes = nullable(instanceCodec<Uint8Array<ArrayBuffer>>('Bytes', Uint8Array));
const Note = t.type({ count: Finite, what: t.string });

const Fault: t.Type<DocumentFault, unknown> = t.type({
  _tag: t.literal('UnreadableDocument'),
  path: t.string,
  message: t.string,
});
const Understood: t.Type<Understanding, unknown> = t.intersection([
  t.type({ notes: t.readonlyArray(Note) }),
  t.partial({ words: Finite }),
]);
const Document: t.Type<UnderstoodDocument, unknown> = t.type({ video: Bytes, audio: Bytes, understood: Understood });

/** The result of a thread. */
const Outcome: t.Type<E.Either<DocumentFault, UnderstoodDocument>, unknown> = t.union([
  t.type({ _tag: t.literal('Left'), left: Fault }),
  t.type({ _tag: t.literal('Right'), right: Document }),
]);

export const tooExpensive: DocumentFault = {
  _tag: 'UnreadableDocument',
  path: '',
  message: 'reading the document takes more memory or time than the service allows; send it in parts',
};

const failureOf = (error: unknown): DocumentFault | DocumentReaderFailed =>
  error instanceof TooLate || isOutOfMemory(error)
    ? tooExpensive
    : { _tag: 'DocumentReaderFailed', reason: error instanceof Error ? error.message : String(error) };

/** Larger documents have a thread of their own, so that small ones do not wait for them. */
const maxShort = 2 * 1024 * 1024;

/**
 * Reads documents that are sent to the service, with the readers of the import command: in threads, because a large document
 * takes seconds and a hostile one needs much memory.
 */
export const providerDocuments = (threads: Threads): ProviderDocuments => ({
  formats: importFormats,
  read: (bytes, request) => async () => {
    const input: DocumentTask = { bytes, request };
    const lane = bytes.length > maxShort ? 'large input' : 'short';
    try {
      return await threads.run({ work: 'readDocument', lane, input, result: Outcome, timeoutMs: 60_000 });
    } catch (error) {
      return E.left(failureOf(error));
    }
  },
});
