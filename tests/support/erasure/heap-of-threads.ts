import { createWriteStream, renameSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { getHeapSnapshot } from 'node:v8';
import threads, { isMainThread } from 'node:worker_threads';

/*
 * Loaded into the service before it starts: on SIGUSR2 it writes a snapshot of the heap of each of its threads, after a
 * collection, into the folder that HEAP_FOLDER names, and then a file that says how many there are.
 */

const folder = process.env['HEAP_FOLDER'] ?? '';
const running = new Set<threads.Worker>();
let writing: Promise<void> = Promise.resolve();

class KnownWorker extends threads.Worker {
  constructor(...given: ConstructorParameters<typeof threads.Worker>) {
    super(...given);
    running.add(this);
    this.once('exit', () => running.delete(this));
  }
  /** Not while its heap is being written: Node 20 ends then with a segmentation fault. */
  override async terminate(): Promise<number> {
    await writing;
    return super.terminate();
  }
}

const writeAll = async (): Promise<void> => {
  globalThis.gc?.();
  await pipeline(getHeapSnapshot(), createWriteStream(join(folder, 'main.heapsnapshot')));
  let written = 1;
  for (const worker of running)
    await worker.getHeapSnapshot().then(
      async (snapshot) => {
        await pipeline(snapshot, createWriteStream(join(folder, `thread-${(written += 1)}.heapsnapshot`)));
      },
      // The thread has ended in the meantime.
      () => undefined,
    );
  // Renamed only when complete, because the test waits for this file.
  writeFileSync(join(folder, 'writing'), String(written));
  renameSync(join(folder, 'writing'), join(folder, 'written'));
};

if (isMainThread) {
  Reflect.set(threads, 'Worker', KnownWorker);
  syncBuiltinESMExports();
  process.on('SIGUSR2', () => {
    writing = writeAll();
  });
}
