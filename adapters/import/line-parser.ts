import * as E from 'fp-ts/lib/Either.js';
import type { ImportError } from './imported.js';

/** Takes a file line by line, in order, and says at the end what it held. The first error is the last call. */
export interface LineParser<Result> {
  readonly take: (text: string, line: number) => E.Either<ImportError, void>;
  /**
   * Takes whole lines as bytes, faster than as text, and says how many they were. Only for parsers that need it.
   * `linesBefore` are those before the block.
   */
  readonly takeBlock?: (block: Buffer, linesBefore: number) => E.Either<ImportError, number>;
  readonly finish: (lastLine: number) => E.Either<ImportError, Result>;
}

/** The answer of a parser that took a line. */
export const taken: E.Either<never, void> = E.right(undefined);

/** The refusal of one line. */
export const brokenAt = (line: number | null, message: string): E.Either<ImportError, never> =>
  E.left({ line, message });

/** Feeds lines, without their line ends, to a parser. */
export const parseLines = async <Result>(
  parser: LineParser<Result>,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<E.Either<ImportError, Result>> => {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    const answer = parser.take(text, line);
    if (E.isLeft(answer)) return answer;
  }
  return parser.finish(line);
};
