import * as E from 'fp-ts/lib/Either.js';
import type { ImportError } from './imported.js';

/** Parses a file line by line; `finish` returns the result. After the first error it must not be called again. */
export interface LineParser<Result> {
  readonly take: (text: string, line: number) => E.Either<ImportError, void>;
  /**
   * Parses a block of whole lines as bytes, for parsers that need the speed. Returns the number of lines. `linesBefore`:
   * the lines before the block.
   */
  readonly takeBlock?: (block: Buffer, linesBefore: number) => E.Either<ImportError, number>;
  readonly finish: (lastLine: number) => E.Either<ImportError, Result>;
}

/** The result of a line that was accepted. */
export const accepted: E.Either<never, void> = E.right(undefined);

/** An error in a line; null if it is not in one line. */
export const errorAt = (line: number | null, message: string): E.Either<ImportError, never> =>
  E.left({ line, message });
