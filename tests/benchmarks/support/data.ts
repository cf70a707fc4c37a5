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
  /** What the short form reads instead, by file. */
  readonly samples: () => Readonly<Record<string, unknown>>;
}

const contentOf = (path: string, about: string): unknown => {
  if (!existsSync(path)) {
    console.error(`There is no ${path}. ${about}`);
    process.exit(1);
  }
  const bytes = readFileSync(path);
  return JSON.parse((path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
};

/** Reads a file of the data with its codec. */
export const dataReader = ({ variable, about, samples }: PublicData) => {
  const given = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
  const folder = resolve(given ?? process.env[variable] ?? '../shared/data');
  return <A>(file: string, codec: t.Type<A, unknown>): A => {
    const decoded = codec.decode(quick ? samples()[file] : contentOf(join(folder, file), about));
    if (E.isLeft(decoded)) throw new Error(`${file} is not as expected`);
    return decoded.right;
  };
};
