import * as E from 'fp-ts/lib/Either.js';
import { serveTasks } from '../../runtime/thread-tasks.js';
import { type MalformedBody, malformed } from '../decode.js';
import { readerOf } from './all-readers.js';
import { BodyBytes } from './body-bytes.js';
import type { BodyReader } from './body-reader.js';
import { BrokenJson, sizeOfJson } from './json-bytes.js';
import { BrokenText, TooMuchJson, mostMebibytes, mostValues } from './parse-bounded.js';
import { parseLarge } from './parse-large.js';

/** A large body as it goes to another thread. */
export interface LargeBody {
  /** The name of the codec. */
  readonly name: string;
  readonly blocks: ReadonlyArray<Uint8Array>;
  readonly length: number;
}

/** How deep the values of a large body may be nested. */
const deepest = 100;

const refusal = (error: unknown): MalformedBody => {
  if (error instanceof TooMuchJson) {
    const values = mostValues.toLocaleString('en-US');
    return malformed(
      `The body has more than ${values} values or ${mostMebibytes} MiB, not counting the tracks, segments and utterances of an analysis`,
    );
  }
  if (error instanceof BrokenText) return malformed('The body is not valid UTF-8');
  if (error instanceof SyntaxError || error instanceof BrokenJson) return malformed('The body is not valid JSON');
  throw error;
};

/** Reads the bytes of a body as its endpoint would, in little memory. A value that cannot be sent on is refused. */
export const readLarge = <Body>(reader: BodyReader<Body>, bytes: BodyBytes): E.Either<MalformedBody, Body> => {
  try {
    const body = reader.read(parseLarge(bytes, reader.longFields));
    if (E.isRight(body) && sizeOfJson(bytes).depth > deepest)
      return E.left(malformed(`The body is nested deeper than ${deepest} levels`));
    return body;
  } catch (error) {
    return E.left(refusal(error));
  }
};

/** The memory of parts that are handed over and not copied. */
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
