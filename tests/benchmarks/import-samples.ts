import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { describeFile, describeFileError } from '../../adapters/import/import-text.js';
import { readImportFile } from '../../adapters/import/read-document.js';
import { quick } from './support/figures.js';

/*
 * Prints what is read from every file of a folder of real provider output. For samples whose licence does not
 * allow shipping them: `import-samples.js <folder>`, `../shared/data/providers` beside the project by
 * default. `--quick`: those of the tests.
 */

const folder = quick
  ? fileURLToPath(new URL('../../../tests/fixtures/providers', import.meta.url))
  : resolve(process.argv[2] ?? '../shared/data/providers');
const files = (await readdir(folder)).filter((name) => /\.(?:json|vtt|srt|rttm|csv)$/.test(name));
for (const name of files) {
  const read = readImportFile(join(folder, name));
  const text = E.isLeft(read)
    ? [describeFileError({ ...read.left, file: name })]
    : describeFile({ ...read.right, file: name });
  text.forEach((line) => console.log(line));
}
