// Writes the entry points again, each with all that it imports in few files: Node takes a millisecond for each module that it
// loads, and a start has more than 600. What `tsc` wrote would run as well. Writes the console for browsers, too. Plain
// JavaScript, for it is a part of the set-up.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packages of many pure modules that every start needs. All others are loaded from node_modules. */
const included = new Set(['fp-ts', 'io-ts', 'uuid']);
const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Scripts that run as threads or processes, by the names that `compiledScript` uses. */
const scripts = readdirSync(join(root, 'adapters'), { recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [...readFileSync(join(root, 'adapters', file), 'utf8').matchAll(/compiledScript\('(.+)\.js'\)/g)])
  .map(([, place]) => `adapters/${place}.ts`);

/** The modules of fp-ts and io-ts in ES form: calls into their CommonJS form pass through a getter. */
const esForm = {
  name: 'es-form',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^(?:fp-ts|io-ts)\/lib\// }, ({ path, kind, resolveDir }) =>
      resolve(path.replace('/lib/', '/es6/'), { kind, resolveDir }),
    ),
};

await build({
  absWorkingDir: root,
  entryPoints: ['adapters/bin.ts', ...scripts],
  outbase: '.',
  outdir: 'dist',
  chunkNames: 'adapters/chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  external: Object.keys(dependencies).filter((name) => !included.has(name)),
  mainFields: ['module', 'main'],
  plugins: [esForm],
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'warning',
});

await build({
  absWorkingDir: root,
  entryPoints: ['adapters/console/main.tsx'],
  outdir: 'dist/adapters/console',
  bundle: true,
  format: 'esm',
  minify: true,
  target: 'es2023',
  logLevel: 'warning',
});
