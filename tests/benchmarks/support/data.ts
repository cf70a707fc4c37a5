import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { quick } from './figures.js';

/** Public data that are not part of the project. */
interface PublicData {
  /** The variable that names their folder, unless the first argument does; `../shared/data` without both. */
  readonly variable: string;
  /** What is missing, and where it comes from. */
  readonly about: string;
}

const contentOf = (path: string, about: string): unknown => {
  if (!existsSync(path)) {
    console.error(`There is no ${path}. ${about}`);
    process.exit(1);
  }
  const bytes = readFileSync(path);
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
};

/** Reads a file of the data with its codec. The short form leaves out what needs them. */
export const dataReader = ({ variable, about }: PublicData) => {
  if (quick) {
    console.log('left out: it needs public data');
    process.exit();
  }
  const given = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  const folder = resolve(given ?? process.env[variable] ?? '../shared/data');
  return <A>(file: string, codec: t.Type<A, unknown>): A => {
    const decoded = codec.decode(contentOf(join(folder, file), about));
    if (E.isLeft(decoded)) throw new Error(`${file} is not as expected`);
    return decoded.right;
  };
};
