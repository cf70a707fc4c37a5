import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Batch, Written } from './changes.js';
import type { TableSums } from './checksum.js';
import type { SnapshotRow } from './snapshots.js';
import { compiledScript } from '../runtime/package-files.js';

/** A connection that writes on a thread of its own, so that neither rows nor a disk hold the service up. */
export interface Writer {
  /**
   * Writes the batch in one transaction, and gives the sums of the tables after it; keeps none of it and rejects when it
   * fails. Not twice at once.
   */
  readonly write: (batch: Batch) => Promise<TableSums>;
  /** Keeps a snapshot once what is being written is, unless that fails. */
  readonly keep: (snapshot: SnapshotRow) => void;
  /** Resolves once the thread has closed its connection. */
  readonly close: () => Promise<void>;
}

/** The batch was not written; `code` is SQLite's. */
class WriteFailed extends Error {
  override readonly name = 'WriteFailed';
  readonly code: string | null;
  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

interface Thread {
  readonly worker: Worker;
  /** The next answer; rejects when the thread ends first. */
  readonly answer: () => Promise<unknown>;
  readonly hasEnded: () => boolean;
}

const start = (file: string): Thread => {
  const worker = new Worker(compiledScript('read-models/writer-thread.js'), { workerData: file });
  let isOver = false;
  let fail: ((failure: WriteFailed) => void) | null = null;
  const end = (reason: string): void => {
    isOver = true;
    fail?.(new WriteFailed(reason, null));
  };
  worker.once('error', (error) => end(`the thread that writes failed: ${error.message}`));
  worker.once('exit', () => end('the thread that writes has ended'));
  worker.unref();
  return {
    worker,
    // Not a race with one promise for the end: that would keep every answer for as long as the thread lives.
    answer: () =>
      new Promise((resolve, reject) => {
        fail = reject;
        worker.once('message', resolve);
      }),
    hasEnded: () => isOver,
  };
};

/** Opens the writer of a file that has its tables. A thread that ended is started again with the next batch. */
export const openWriter = (file: string): Writer => {
  let thread: Thread | null = start(file);
  return {
    write: async (batch) => {
      if (thread === null || thread.hasEnded()) thread = start(file);
      const { worker, answer } = thread;
      worker.postMessage(batch, []);
      worker.ref();
      try {
        const written = await answer();
        if (!Written.is(written)) throw new WriteFailed('the thread that writes gave no answer', null);
        if (written.ok) return written.sums;
        throw new WriteFailed(written.message, written.code);
      } finally {
        worker.unref();
      }
    },
    keep: (snapshot) => {
      if (thread !== null && !thread.hasEnded()) thread.worker.postMessage(snapshot, []);
    },
    close: async () => {
      if (thread === null || thread.hasEnded()) return;
      const { worker } = thread;
      thread = null;
      const exited = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close', []);
      await exited;
    },
  };
};
