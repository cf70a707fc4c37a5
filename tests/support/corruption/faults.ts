import { randomFrom } from '../realtime/random.js';
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Originals } from './data-folder.js';

const pageSize = 4_096;

interface Damage {
  /** The file in a copy of a folder, and the same file in an older one. */
  readonly file: string;
  readonly older: string;
  /** A random whole number from 0 up to, but not including, the limit. */
  readonly below: (limit: number) => number;
}

const overwrite = (file: string, at: number, bytes: Uint8Array): void => {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, bytes, 0, bytes.length, at);
  closeSync(descriptor);
};

const sizeOf = (file: string): number => readFileSync(file).length;

const bytes = (below: Damage['below'], length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));

const pageOf = (file: string, page: number): Uint8Array =>
  readFileSync(file).subarray(page * pageSize, (page + 1) * pageSize);

const anyPage = (file: string, below: Damage['below']): number => below(Math.ceil(sizeOf(file) / pageSize));

/** The WAL if there is one, otherwise the file itself. */
const walOf = (file: string): string => (existsSync(`${file}-wal`) && sizeOf(`${file}-wal`) > 0 ? `${file}-wal` : file);

const flip = (file: string, below: Damage['below']): void => {
  const content = readFileSync(file);
  const at = below(content.length);
  overwrite(file, at, Uint8Array.of((content[at] ?? 0) ^ (1 << below(8))));
};

/** Writes a byte that is invalid in UTF-8 into a text of the file. */
const breakText = (file: string, below: Damage['below']): void => {
  const content = readFileSync(file);
  const from = below(content.length);
  const letter = content.findIndex((byte, at) => at >= from && byte >= 97 && byte <= 122);
  overwrite(file, letter === -1 ? from : letter, Uint8Array.of(0xff));
};

/** The kinds of damage to a data file. */
export const faults: Readonly<Record<string, (damage: Damage) => void>> = {
  'one bit': ({ file, below }) => flip(file, below),
  'one bit of the WAL': ({ file, below }) => flip(walOf(file), below),
  'some bytes': ({ file, below }) => overwrite(file, below(sizeOf(file)), bytes(below, 1 + below(64))),
  'a byte that is no UTF-8': ({ file, below }) => breakText(file, below),
  'a byte of the WAL that is no UTF-8': ({ file, below }) => breakText(walOf(file), below),
  'a page of zeros': ({ file, below }) => overwrite(file, anyPage(file, below) * pageSize, new Uint8Array(pageSize)),
  'a page of noise': ({ file, below }) => overwrite(file, anyPage(file, below) * pageSize, bytes(below, pageSize)),
  'a page of another place': ({ file, below }) =>
    overwrite(file, anyPage(file, below) * pageSize, pageOf(file, anyPage(file, below))),
  'a page of an older copy': ({ file, older, below }) => {
    const page = anyPage(older, below);
    overwrite(file, page * pageSize, pageOf(older, page));
  },
  'cut off': ({ file, below }) => truncateSync(file, below(sizeOf(file))),
  'cut off at a page': ({ file, below }) => truncateSync(file, anyPage(file, below) * pageSize),
  'cut off WAL': ({ file, below }) => truncateSync(walOf(file), below(sizeOf(walOf(file)))),
  'no WAL': ({ file }) => rmSync(`${file}-wal`, { force: true }),
  'an older copy': ({ file, older }) => {
    ['-wal', '-shm'].forEach((suffix) => rmSync(`${file}${suffix}`, { force: true }));
    copyFileSync(older, file);
  },
  'an older copy beside the WAL': ({ file, older }) => copyFileSync(older, file),
  emptied: ({ file }) => writeFileSync(file, ''),
  removed: ({ file }) => rmSync(file),
};

export interface Fault {
  readonly seed: number;
  readonly name: string;
  /** Damages a file of a copy of an original folder. */
  readonly apply: (folder: string, file: string, originals: Originals) => void;
  /** Whether the copy is of the folder as a killed process leaves it. */
  readonly ofKilled: boolean;
}

/** The fault that a seed determines. */
export const faultOf = (seed: number): Fault => {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const names = Object.keys(faults);
  const name = names[seed % names.length] ?? '';
  return {
    seed,
    name,
    ofKilled: random() < 0.5,
    apply: (folder, file, { older }) => faults[name]?.({ file: join(folder, file), older: join(older, file), below }),
  };
};
