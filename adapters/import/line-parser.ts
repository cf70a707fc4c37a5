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
