import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The compilers that users of the client have. */
export const compilers: Readonly<Record<string, string>> = {
  'TypeScript 7': 'node_modules/typescript',
  'TypeScript 5': 'tests/support/client/typescript-5/node_modules/typescript',
};

/** Compiles a project; what the compiler says, nothing when all is well. */
export const compile = (folder: string, compiler = 'node_modules/typescript'): string => {
  const tsc = join(root, compiler, 'bin/tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '--project', folder], { encoding: 'utf8' });
  return `${stdout}${stderr}`;
};

/** Compiles one of the projects that stand beside the main one: `adapters/client`, which writes its types. */
export const compilePart = (folder: string): void => {
  const said = compile(join(root, folder));
  if (said !== '') throw new Error(said);
};
