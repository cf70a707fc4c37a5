import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quick } from './support/figures.js';

/* All benchmarks of the service, one after the other. With --quick each only shows that it runs, two at a time. */

const short = [
  'eventstoredb-server',
  'put-speaker-face-match',
  'growing-stream',
  'long-account',
  'restart',
  'matching-speed',
  'tags',
  'signalling-fuzz',
  'import',
  'provider-documents',
  'realtime-memory',
  'realtime-capacity',
];
/** Scripts without a short form, or whose short form is one of the tests. */
const long = ['event-store', 'read-models', 'sealed-events', 'kill-nine', 'erasure-kill'];
const scripts = quick ? short : [...short, ...long];

const output = async (child: ChildProcess): Promise<string> => {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
};

const run = async (script: string): Promise<void> => {
  const file = fileURLToPath(new URL(`./${script}.js`, import.meta.url));
  if (!quick) console.log(`\n${script}`);
  const child = spawn(process.execPath, [file, ...process.argv.slice(2)], {
    stdio: ['ignore', quick ? 'pipe' : 'inherit', quick ? 'pipe' : 'inherit'],
  });
  if (quick) console.log(`\n${script}\n${await output(child)}`);
  else await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`${script} failed`);
};

const left = [...scripts];
const runThem = async (): Promise<void> => {
  for (let script = left.shift(); script !== undefined; script = left.shift()) await run(script);
};
await Promise.all(Array.from({ length: quick ? 2 : 1 }, runThem));
