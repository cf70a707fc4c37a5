import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Acknowledged {
  readonly stream: string;
  readonly ids: ReadonlyArray<string>;
}

/** Another process that appends batches of 1 to 5 events to streams of its own and reports each acknowledged batch. */
interface Appender {
  readonly acknowledged: ReadonlyArray<Acknowledged>;
  /** Resolves once the process has ended and everything that it reported has been read. */
  readonly ended: Promise<void>;
  /** Ends it at once, with no chance to finish anything. */
  readonly kill: () => void;
}

/** Starts the process. Each of its writers appends one batch after the other, as fast as it can. */
export const startAppender = (file: string, work: { readonly writers: number; readonly batches: number }): Appender => {
  const program = fileURLToPath(new URL('./appender.js', import.meta.url));
  const child = spawn(process.execPath, [program, file, `${work.writers}`, `${work.batches}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const acknowledged: Acknowledged[] = [];
  const lines = createInterface(child.stdout);
  lines.on('line', (line) => {
    const [stream = '', ...ids] = line.split(' ');
    acknowledged.push({ stream, ids });
  });
  const ended = Promise.all([once(child, 'exit'), once(lines, 'close')]).then(() => undefined);
  return { acknowledged, ended, kill: () => child.kill('SIGKILL') };
};
