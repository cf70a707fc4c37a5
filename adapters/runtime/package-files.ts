import { readFileSync } from 'node:fs';
import * as t from 'io-ts';

/** Compiled modules are below `dist`, but a bundled module may be anywhere in it (see `adapters/cli/bundle.mjs`). */
const root = import.meta.url.slice(0, import.meta.url.lastIndexOf('/dist/') + 1);

/** A file or folder of this package. */
export const inPackage = (path: string): URL => new URL(path, root);

/** The compiled script of a thread or process; `path` is relative to `adapters`. */
export const compiledScript = (path: string): URL => inPackage(`dist/adapters/${path}`);

const packageFile = inPackage('package.json');
const Package = t.type({ version: t.string });

/** The version of this package. */
export const packageVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(packageFile, 'utf8'));
  return Package.is(parsed) ? parsed.version : 'unknown';
};
