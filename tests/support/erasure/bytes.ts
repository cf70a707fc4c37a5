import { execFile } from 'node:child_process';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../event-store/stores.js';

/** The encodings in which SQLite and V8 store text. */
const formsOf = (word: string): ReadonlyArray<Buffer> => [Buffer.from(word, 'utf8'), Buffer.from(word, 'utf16le')];

/**
 * Copies a folder by another process: closing a database file in a process drops the locks that its own connections hold
 * on it. Files that SQLite removes meanwhile are left out.
 */
const copied = (folder: string, into: string): Promise<void> =>
  new Promise((resolve) => execFile('cp', ['-r', folder, into], () => resolve()));

/** The words that occur in the bytes of the files of a folder, each as `file: word`. */
export const foundIn = async (folder: string, words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const { path, remove } = await temporaryFolder();
  const copy = join(path, 'data');
  const found: string[] = [];
  try {
    await copied(folder, copy);
    for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const bytes = await readFile(join(entry.parentPath, entry.name));
      for (const word of words)
        if (formsOf(word).some((form) => bytes.includes(form))) found.push(`${entry.name}: ${word}`);
    }
  } finally {
    await remove();
  }
  return found;
};
