import * as E from 'fp-ts/lib/Either.js';
import type { FormatName } from '../../../adapters/import/format-names.js';
import type { Imported, ImportedFaces, ImportedSpeech, ImportError } from '../../../adapters/import/format.js';
import { type ReadDocument, readDocument, type ReadOptions } from '../../../adapters/import/read-document.js';

/** Reads a document that is in memory. */
export const readImportBytes = (bytes: Uint8Array, options: ReadOptions = {}): E.Either<ImportError, ReadDocument> =>
  readDocument([bytes], options);

function* asBytes(lines: Iterable<string>): Generator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`);
}

const parsing =
  <Part>(format: FormatName, partOf: (imported: Imported) => Part | null) =>
  (lines: Iterable<string>, options: ReadOptions = {}): E.Either<ImportError, Part> =>
    E.chain(({ imported }: ReadDocument): E.Either<ImportError, Part> => {
      const part = partOf(imported);
      return part === null ? E.left({ line: null, message: 'nothing of that kind' }) : E.right(part);
    })(readDocument(asBytes(lines), { ...options, format }));

const facesOf = ({ faces }: Imported): ImportedFaces | null => faces;
const speechOf = ({ speech }: Imported): ImportedSpeech | null => speech;

/** Reads lines, without their line ends, in a format. */
export const parseAswJson = parsing('asw_json', facesOf);
export const parseAvaCsv = parsing('ava_csv', facesOf);
export const parseRttm = parsing('rttm', speechOf);
