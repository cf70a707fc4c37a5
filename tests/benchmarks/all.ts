import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { quick } from './support/figures.js';

/*
 * All scripts of this folder, one after the other. With --quick each only shows that it measures something, two at a time,
 * and those that need public data read samples instead.
 */

const folder = fileURLToPath(new URL('.', import.meta.url));
const scripts = readdirSync(folder).flatMap((file) =>
  file.endsWith('.js') && file !== 'all.js' ? [file.slice(0, -'.js'.length)] : [],
);

/** Whether a script printed a figure, and none that is not a number. */
const hasMeasured = (text: string): boolean => /[1-9]/.test(text) && !/\b(?:NaN|Infinity|undefined)\b/.test(text);

const output = async (child: ChildProcess): Promise<string> => {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await once(child, 'close');
  return text;
};

const failed: string[] = [];
const run = async (script: string): Promise<void> => {
  const start = performance.now();
  if (!quick) console.log(`\n${script}`);
  const child = spawn(process.execPath, [`${folder}${script}.js`, ...process.argv.slice(2)], {
    stdio: ['ignore', quick ? 'pipe' : 'inherit', quick ? 'pipe' : 'inherit'],
  });
  if (quick) {
    const text = await output(child);
    console.log(`\n${script}, ${((performance.now() - start) / 1_000).toFixed(1)} s\n${text}`);
    if (!hasMeasured(text)) failed.push(`${script} measured nothing`);
  } else await once(child, 'exit');
  if (child.exitCode !== 0) failed.push(`${script} failed`);
};

const left = [...scripts];
const runThem = async (): Promise<void> => {
  for (let script = left.shift(); script !== undefined; script = left.shift()) await run(script);
};
await Promise.all(Array.from({ length: quick ? 2 : 1 }, runThem));
console.log(`\n${scripts.length} scripts${failed.map((failure) => `\n${failure}`).join('')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
