import * as E from 'fp-ts/lib/Either.js';
import { serveTasks } from '../../runtime/thread-tasks.js';
import { type BodyReader, type MalformedBody, malformed } from '../decode.js';
import { readerOf } from './all-readers.js';
import { BodyBytes, BrokenJson, sizeOfJson } from './json-bytes.js';
import { BrokenText, maxMebibytes, maxValues, TooMuchJson } from './parse-bounded.js';
import { parseLarge } from './parse-large.js';

/** A large body as it is sent to the worker thread. */
export interface LargeBody {
  /** The name of the codec. */
  readonly name: string;
  readonly blocks: ReadonlyArray<Uint8Array>;
  readonly length: number;
}

/** The maximum nesting depth of a large body. */
const maxDepth = 100;

const refusal = (error: unknown): MalformedBody => {
  if (error instanceof TooMuchJson) {
    const values = maxValues.toLocaleString('en-US');
    return malformed(
      `The body has more than ${values} values or ${maxMebibytes} MiB, not counting the tracks, segments and utterances of an analysis`,
    );
  }
  if (error instanceof BrokenText) return malformed('The body is not valid UTF-8');
  if (error instanceof SyntaxError || error instanceof BrokenJson) return malformed('The body is not valid JSON');
  throw error;
};

/** Reads the bytes of a body as its endpoint would, in little memory. Deeper values could not be sent between threads. */
export const readLarge = <Body>(reader: BodyReader<Body>, bytes: BodyBytes): E.Either<MalformedBody, Body> => {
  try {
    const body = reader.read(parseLarge(bytes, reader.longFields));
    if (E.isRight(body) && sizeOfJson(bytes).depth > maxDepth)
      return E.left(malformed(`The body is nested deeper than ${maxDepth} levels`));
    return body;
  } catch (error) {
    return E.left(refusal(error));
  }
};

/** The memory of packed parts, which is transferred instead of copied. */
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

serveTasks({
  work: ({ name, blocks, length }: LargeBody) => readLarge(readerOf({ name }), new BodyBytes(blocks, length)),
  transferOf: (answer) => (E.isRight(answer) ? partsIn(answer.right) : []),
});
