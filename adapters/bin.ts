#!/usr/bin/env node
// Nothing is imported before the version is known: an older Node would fail on an import, or in the middle of the work.
const least = 20;
const { node } = process.versions;
if (Number(node.split('.')[0]) < least) {
  console.error(`error: media-analysis needs Node.js ${least} or later; this is ${node}, ${process.execPath}`);
  process.exit(1);
}
// Files that commands create (data, exports) are readable only by their owner.
process.umask(0o077);
const { runCommandLine } = await import('./composition/command-line.js');
const { EventEmitter } = await import('node:events');
const { code, hasFailed } = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  print: (line) => console.log(line),
  printError: (line) => console.error(line),
  stdout: process.stdout,
  stderr: process.stderr,
  onEnd: (end) =>
    void Promise.race([EventEmitter.once(process, 'SIGTERM'), EventEmitter.once(process, 'SIGINT')]).then(end),
  exit: (exitCode) => process.exit(exitCode),
});
if (hasFailed) process.exit(code);
process.exitCode = code;
