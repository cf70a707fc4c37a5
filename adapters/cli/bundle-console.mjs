// Writes the console for browsers: the code of each page, and what several pages share, each shortened in a file of its
// own. Plain JavaScript, for it is a part of the set-up.
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = 'dist/adapters/console';

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['adapters/console/main.tsx'],
  outdir: folder,
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  target: 'es2023',
  metafile: true,
  logLevel: 'warning',
});

// The names of files have a hash of what is in them, so those of an earlier version would stay.
const written = new Set(Object.keys(metafile.outputs).map((path) => basename(path)));
for (const file of readdirSync(join(root, folder)))
  if (!written.has(file)) rmSync(join(root, folder, file), { recursive: true, force: true });
