// Runs before anything is installed or compiled, so it is plain JavaScript with Node's own modules alone.
// Installs the locked packages and compiles, each only when its inputs changed since it last succeeded,
// then, when arguments are given, becomes the command line with them: `node set-up.mjs serve`.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const least = 20;
if (Number(process.versions.node.split('.')[0]) < least) {
  process.stderr.write(
    `error: media-analysis needs Node.js ${least} or later; this is ${process.versions.node}, ${process.execPath}\n`,
  );
  process.exit(1);
}

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const sourceFolders = ['domain', 'application', 'projections', 'adapters', 'tests'];

const filesBelow = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();

const digest = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
};

const wasDoneFor = (stamp, key) => existsSync(stamp) && readFileSync(stamp, 'utf8') === key;

const step = (title, stamp, key, command, args) => {
  if (wasDoneFor(stamp, key)) return;
  const started = Date.now();
  process.stderr.write(`${title} …\n`);
  rmSync(stamp, { force: true });
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) {
    process.stderr.write(`${title} failed${error ? `: ${error.message}` : ''}\n`);
    process.exit(1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, key);
  process.stderr.write(`${title}: done in ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
};

const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
step('Installing the locked packages', join(root, 'node_modules/.installed-for'), digest([lock]), 'npm', [
  'ci',
  '--include=dev',
  '--no-progress',
  '--loglevel=error',
]);

// The set-up writes it itself.
const clientInterface = join(root, 'adapters/client/interface.ts');
const sources = sourceFolders
  .flatMap((folder) => filesBelow(join(root, folder)))
  .filter((file) => file !== clientInterface);
const sourcesKey = digest([
  lock,
  readFileSync(join(root, 'tsconfig.json'), 'utf8'),
  ...sources.map((file) => `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`),
]);
const compiled = join(root, 'dist');
if (!wasDoneFor(join(compiled, '.compiled-for'), sourcesKey)) rmSync(compiled, { recursive: true, force: true });
// Types of the main project and of the console are checked by `npm run lint`, which is one of the tests: whoever starts need not wait for it.
const script = (title, file, stamp) =>
  step(title, join(compiled, stamp), sourcesKey, process.execPath, [join(root, file)]);
const project = (title, folder, stamp) =>
  step(title, join(compiled, stamp), sourcesKey, process.execPath, [
    join(root, 'node_modules/typescript/bin/tsc'),
    '--project',
    join(root, folder),
    '--noCheck',
  ]);
project('Compiling', '.', '.compiled-for');
script("Writing the client's interface", 'dist/adapters/composition/print-client.js', '.interface-written-for');
project('Compiling the client', 'adapters/client', '.client-compiled-for');
script('Bundling', 'adapters/cli/bundle.mjs', '.bundled-for');

if (process.argv.length > 2) await import(pathToFileURL(join(root, 'dist/adapters/bin.js')).href);
