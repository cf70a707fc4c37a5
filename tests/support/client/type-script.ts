import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The compilers that users of the client have. */
export const compilers: Readonly<Record<string, string>> = {
  'TypeScript 7': 'node_modules/typescript',
  'TypeScript 5': 'tests/support/client/typescript-5/node_modules/typescript',
};

/** Compiles a project. Returns the compiler's output, which is empty on success. */
export const compile = (folder: string, compiler = 'node_modules/typescript'): string => {
  const tsc = join(root, compiler, 'bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' });
  return `${stdout}${stderr}`;
};

/** The files that are written when `npm test` has compiled a project. */
const stamps: Readonly<Record<string, string>> = {
  'adapters/console': 'dist/.console-minified-for',
  'adapters/client': 'dist/.types-written-for',
};

/** Both projects use only sources of these folders. */
const folders = ['adapters/client', 'adapters/console', 'adapters/runtime'];

const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

const newestSource = (): number =>
  Math.max(
    ...['tsconfig.json', ...folders.flatMap((folder) => filesOf(folder))].map((file) => timeOf(join(root, file))),
  );

/**
 * Compiles one of the other projects, unless that was done since its sources changed:
 * `adapters/client`, with type declarations, or `adapters/console`.
 */
export const compilePart = (folder: string): void => {
  if (timeOf(join(root, stamps[folder] ?? '')) > newestSource()) return;
  const said = compile(join(root, folder));
  if (said !== '') throw new Error(said);
  if (folder === 'adapters/console') spawnSync(process.execPath, [join(root, 'adapters/cli/minify-console.mjs')]);
};
