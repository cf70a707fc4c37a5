import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** The encodings in which SQLite and V8 store text. */
const formsOf = (word: string): ReadonlyArray<Buffer> => [Buffer.from(word, 'utf8'), Buffer.from(word, 'utf16le')];

/** The words that occur in the bytes of the files of a folder, each as `file: word`. */
export const foundIn = async (folder: string, words: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // SQLite removes its shared memory when it closes a file.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    for (const word of words)
      if (formsOf(word).some((form) => bytes.includes(form))) found.push(`${entry.name}: ${word}`);
  }
  return found;
};
