import { readFileSync } from 'node:fs';
import * as t from 'io-ts';
import { inPackage } from './package-files.js';

const packageFile = inPackage('package.json');
const Package = t.type({ version: t.string });

/** The version of this package. */
export const packageVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(packageFile, 'utf8'));
  return Package.is(parsed) ? parsed.version : 'unknown';
};
