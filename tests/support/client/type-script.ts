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

interface Part {
  /** Written when the part was last made. */
  readonly stamp: string;
  /** Makes it. Returns what went wrong; empty on success. */
  readonly make: () => string;
}

const bundleConsole = (): string =>
  spawnSync(process.execPath, [join(root, 'adapters/cli/bundle-console.mjs')], { encoding: 'utf8' }).stderr;

const parts = {
  'adapters/client': {
    stamp: 'dist/.types-written-for',
    make: () => compile(join(root, 'adapters/client')),
  },
  'adapters/console': { stamp: 'dist/adapters/console/main.js', make: bundleConsole },
} as const satisfies Readonly<Record<string, Part>>;

/** Both use only sources of these folders. */
const folders = ['adapters/client', 'adapters/console', 'adapters/runtime'];

const timeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));

const newestSource = (): number =>
  Math.max(
    ...['tsconfig.json', ...folders.flatMap((folder) => filesOf(folder))].map((file) => timeOf(join(root, file))),
  );

/** Makes the type declarations of the client, or the console, unless that was done since the sources changed. */
export const compilePart = (folder: keyof typeof parts): void => {
  const { stamp, make } = parts[folder];
  if (timeOf(join(root, stamp)) > newestSource()) return;
  const said = make();
  if (said !== '') throw new Error(said);
};
