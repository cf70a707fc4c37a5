import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { quick } from './support/figures.js';

/*
 * The benchmarks of the service, one after the other, but for those that it says it leaves out. With --quick each only
 * shows that it measures something, two at a time.
 */

const scripts = [
  'eventstoredb-server',
  'put-speaker-face-match',
  'sealed-events',
  'event-store',
  'read-models',
  'growing-stream',
  'long-account',
  'restart',
  'matching-speed',
  'renumbering',
  'largest-decisions',
  'tags',
  'answer-encoding',
  'audit-events',
  'corruption',
  'hash-chain',
  'files-of-a-request',
  'review-cost',
  'run-waits',
  'transcript-page',
  'signalling-fuzz',
  'import',
  'provider-documents',
  'realtime-memory',
  'realtime-capacity',
  'kill-nine',
  'erasure-kill',
];
/** Their short forms are tests. */
const tested = ['corruption', 'erasure-kill', 'kill-nine'];

/** What is left out, by the reason. */
const leftOut: Readonly<Record<string, ReadonlyArray<string>>> = {
  'need data that are not part of the project': [
    'import-samples',
    'matching-fit',
    'matching-quality',
    'naming',
    'review',
  ],
  'kill services for minutes': ['instances', 'ledger-kill', 'realtime-kill'],
  'need a browser': ['console-peer', 'console-timeline'],
  'say something on an idle machine only': [
    'eventstoredb-adapter',
    'many-connections',
    'put-eventstoredb',
    'realtime-creation',
    'slow-model',
    'voice-activity',
  ],
  'are made to look into, not to measure': ['profile-put'],
  ...(quick ? { 'have a short form among the tests': tested } : {}),
};

/** Whether a script printed a figure, and none that is not a number. */
const hasMeasured = (text: string): boolean => /[1-9]/.test(text) && !/\b(?:NaN|Infinity|undefined)\b/.test(text);

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
  if (quick) {
    const text = await output(child);
    console.log(`\n${script}\n${text}`);
    if (!hasMeasured(text)) throw new Error(`${script} measured nothing`);
  } else await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`${script} failed`);
};

const left = scripts.filter((script) => !quick || !tested.includes(script));
const runThem = async (): Promise<void> => {
  for (let script = left.shift(); script !== undefined; script = left.shift()) await run(script);
};
await Promise.all(Array.from({ length: quick ? 2 : 1 }, runThem));
console.log('\nLeft out:');
for (const [reason, names] of Object.entries(leftOut)) console.log(`  ${names.join(', ')}: they ${reason}`);
