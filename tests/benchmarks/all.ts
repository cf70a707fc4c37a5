import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { quick } from './support/figures.js';

/* All benchmarks of the service, one after the other. With --quick each only shows that it runs. */

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
/** These have no short form, or one that the tests run themselves. */
const long = ['event-store', 'read-models', 'sealed-events', 'kill-nine', 'erasure-kill'];
const scripts = quick ? short : [...short, ...long];

const run = (script: string): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const file = fileURLToPath(new URL(`./${script}.js`, import.meta.url));
    const child = spawn(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' });
    child.once('error', reject);
    child.once('exit', resolve);
  });

for (const script of scripts) {
  console.log(`\n${script}`);
  const code = await run(script);
  if (code !== 0) throw new Error(`${script} failed`);
}
