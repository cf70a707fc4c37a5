import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/* All benchmarks of the service, one after the other. With --quick each only shows that it runs. */

const scripts = ['put-speaker-face-match', 'growing-stream', 'restart', 'kill-nine'];

for (const script of scripts) {
  console.log(`\n${script}`);
  const file = fileURLToPath(new URL(`./${script}.js`, import.meta.url));
  const [code]: unknown[] = await once(
    spawn(process.execPath, [file, ...process.argv.slice(2)], { stdio: 'inherit' }),
    'exit',
  );
  if (code !== 0) throw new Error(`${script} failed`);
}
