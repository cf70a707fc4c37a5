import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const milliseconds = 300;
const block = Buffer.alloc(4_096, 'x');

/** The upper limit of durable writes: how often a second the disk writes and syncs a block. */
export const syncsPerSecond = (folder: string): number => {
  const file = openSync(join(folder, 'disk.raw'), 'a');
  const start = performance.now();
  let syncs = 0;
  while (performance.now() - start < milliseconds) {
    writeSync(file, block);
    fdatasyncSync(file);
    syncs += 1;
  }
  closeSync(file);
  return (syncs * 1_000) / (performance.now() - start);
};
