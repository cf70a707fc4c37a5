import { constVoid } from 'fp-ts/lib/function.js';
import { runCommandLine } from '../../../adapters/composition/command-line.js';

/* The service from its modules as they were compiled, and not from the bundle, so that one of them can be replaced. */

const { hasFailed } = await runCommandLine(['serve'], {
  env: process.env,
  print: constVoid,
  printError: (line) => console.error(line),
  stdout: process.stdout,
  stderr: process.stderr,
  onEnd: (end) => process.once('SIGTERM', end),
  exit: (code) => process.exit(code),
});
if (hasFailed) process.exit(1);
