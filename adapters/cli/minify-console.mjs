// Shortens the compiled modules of the console in place, each by itself: they are loaded one by one, without a bundle.
// Plain JavaScript, for it is a part of the set-up. What `tsc` wrote would run as well.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const folder = fileURLToPath(new URL('../../dist/adapters/console/', import.meta.url));

for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.js')) continue;
  const path = join(folder, file);
  const { code } = transformSync(readFileSync(path, 'utf8'), { minify: true, format: 'esm', target: 'es2023' });
  writeFileSync(path, code);
}
