import { spawnSync } from 'node:child_process';
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
