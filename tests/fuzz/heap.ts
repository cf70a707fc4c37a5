import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

const Usage = t.type({ heapUsed: t.number, rss: t.number, external: t.number });

/** Bytes that a process holds after a collection. */
export type Usage = t.TypeOf<typeof Usage>;

const fileIn = (data_dir: string): string => join(data_dir, 'heap.json');

/** Options of node and environment variables that make a process report its memory. */
export const reportsMemory = (data_dir: string) => ({
  node: ['--expose-gc', '--import', fileURLToPath(new URL('./heap-on-signal.js', import.meta.url))],
  env: { HEAP_FILE: fileIn(data_dir) },
});

/** The memory usage of a process that was started with these options. */
export const usageOf = async (pid: number, data_dir: string): Promise<Usage> => {
  const file = fileIn(data_dir);
  rmSync(file, { force: true });
  process.kill(pid, 'SIGUSR2');
  for (let turn = 0; turn < 200; turn += 1) {
    await setTimeout(50);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    if (!text.endsWith('}')) continue;
    const usage = Usage.decode(JSON.parse(text));
    if (E.isRight(usage)) return usage.right;
  }
  throw new Error('the service does not report its memory');
};
