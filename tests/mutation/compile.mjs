// Compiles a mutated copy of this project, whatever the types say of the mutants.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
spawnSync(process.execPath, [compiler, '--project', '.', '--noCheck'], { stdio: 'inherit' });
