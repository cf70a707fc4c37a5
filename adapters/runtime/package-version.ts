import { readFileSync } from 'node:fs';
import * as t from 'io-ts';

const packageFile = new URL('../../../package.json', import.meta.url);
const Package = t.type({ version: t.string });

/** The version of this package. */
export const packageVersion = (): string => {
  const parsed: unknown = JSON.parse(readFileSync(packageFile, 'utf8'));
  return Package.is(parsed) ? parsed.version : 'unknown';
};
