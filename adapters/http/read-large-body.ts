import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { countJson } from '../runtime/json-size.js';
import { readerOf } from './body-readers.js';
import { type MalformedBody, malformed, parseJson } from './decode.js';

/** A large body as it is sent to a thread. */
export interface LargeBody {
  /** The name of the codec. */
  readonly reader: string;
  readonly bytes: Uint8Array;
}

/** More values than the largest valid body has. */
const maxValues = 4_000_000;
/** Deeper values could not be sent between threads. */
const maxDepth = 100;

/** The memory of packed parts, which is moved instead of copied. */
const partsIn = (value: unknown): ReadonlyArray<ArrayBuffer> => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((field: unknown) => {
    const parts: unknown = typeof field === 'object' && field !== null && 'parts' in field ? field.parts : [];
    return Array.isArray(parts)
      ? parts.flatMap((part: unknown) =>
          part instanceof Uint8Array && part.buffer instanceof ArrayBuffer ? [part.buffer] : [],
        )
      : [];
  });
};

/** Reads the bytes of a body as its endpoint would. What would need too much memory is refused before it is parsed. */
export const readLarge = ({ reader, bytes }: LargeBody): E.Either<MalformedBody, unknown> => {
  const { values, depth } = countJson(bytes);
  if (values > maxValues)
    return E.left(malformed(`The body has more than ${maxValues.toLocaleString('en-US')} values`));
  return pipe(
    parseJson(bytes),
    E.chain(readerOf(reader).read),
    E.filterOrElse(
      () => depth <= maxDepth,
      () => malformed(`The body is nested deeper than ${maxDepth} levels`),
    ),
  );
};

/** As `readLarge`, for the result of a thread. */
export const readLargeBody = (body: LargeBody): unknown => {
  const read = readLarge(body);
  const parts = E.isRight(read) ? partsIn(read.right) : [];
  return move({ [transferableSymbol]: parts, [valueSymbol]: read });
};
