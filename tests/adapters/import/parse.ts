import * as E from 'fp-ts/lib/Either.js';
import { aswJsonParser } from '../../../adapters/import/asw-json.js';
import { avaCsvParser } from '../../../adapters/import/ava-csv.js';
import type { ImportError } from '../../../adapters/import/imported.js';
import type { LineParser } from '../../../adapters/import/line-parser.js';
import { type ReadDocument, readImportChunks } from '../../../adapters/import/read-file.js';
import { rttmParser } from '../../../adapters/import/rttm.js';

type Lines = Iterable<string> | AsyncIterable<string>;

/** Feeds lines, without their line ends, to a parser. */
const parseLines = async <Result>(parser: LineParser<Result>, lines: Lines): Promise<E.Either<ImportError, Result>> => {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const answer = parser.take(text, line);
    if (E.isLeft(answer)) return answer;
  }
  return parser.finish(line);
};

const parsing =
  <Options extends ReadonlyArray<unknown>, Imported>(parser: (...options: Options) => LineParser<Imported>) =>
  (lines: Lines, ...options: Options): Promise<E.Either<ImportError, Imported>> =>
    parseLines(parser(...options), lines);

export const parseAswJson = parsing(aswJsonParser);
export const parseAvaCsv = parsing(avaCsvParser);
export const parseRttm = parsing(rttmParser);

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** Reads a document that is in memory. */
export const readImportBytes = (
  bytes: Uint8Array,
  options: Parameters<typeof readImportChunks>[1] = {},
): Promise<E.Either<ImportError, ReadDocument>> => readImportChunks(inOnePiece(bytes), options);
