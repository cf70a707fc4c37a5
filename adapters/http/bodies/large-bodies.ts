import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { threadPool } from '../../runtime/thread-pool.js';
import { startTurnTimer } from '../../runtime/event-loop.js';
import { type MalformedBody, malformed } from '../decode.js';
import type { BodyReader } from './body-reader.js';
import type { ReceivedBody } from './received-body.js';
import type { LargeBody } from './read-large.js';
import { compiledScript } from '../../runtime/package-files.js';

/** A body could not be read now, through no fault of its own. */
export interface BodyReaderFailed {
  readonly _tag: 'BodyReaderFailed';
}

/** Reads large bodies in other threads, so that they hold no other request up. */
export interface LargeBodies {
  /** Memory that is not shared between threads is handed over: it cannot be used afterwards. */
  readonly read: <Body>(
    reader: BodyReader<Body>,
    body: ReceivedBody,
  ) => Promise<E.Either<MalformedBody | BodyReaderFailed, Body>>;
  /** Ends the threads; bodies under way are broken off. */
  readonly close: () => Promise<void>;
}

/** Bodies above this size have a thread of their own, so that smaller ones need not wait for seconds. */
const huge = 2 * 1024 * 1024;

const Malformed = t.type({
  _tag: t.literal('MalformedBody'),
  message: t.string,
  errors: t.readonlyArray(t.type({ path: t.string, message: t.string })),
});

/** What a thread answers; what it read is for the reader of its endpoint to recognise. */
type Answer = E.Either<MalformedBody, unknown>;
const Answer: t.Type<Answer, unknown> = t.union([
  t.type({ _tag: t.literal('Left'), left: Malformed }),
  t.type({ _tag: t.literal('Right'), right: t.unknown }),
]);

/** One body after the other: each may take a hundred megabytes while it is read. */
const oneThread = () =>
  threadPool<LargeBody, Answer>({
    script: compiledScript('http/bodies/read-large.js'),
    result: Answer,
    threads: 1,
    longest: 60_000,
    megabytes: 192,
  });

const isOutOfBounds = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

export const largeBodies = (): LargeBodies => {
  const pools = { large: oneThread(), huge: oneThread() };
  return {
    read: async (reader, { blocks, length }) => {
      const pool = length > huge ? pools.huge : pools.large;
      try {
        const transfer = blocks.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
        const answer = await pool.run({ name: reader.codec.name, blocks, length }, transfer);
        startTurnTimer();
        if (E.isLeft(answer)) return answer;
        return reader.is(answer.right) ? E.right(answer.right) : E.left({ _tag: 'BodyReaderFailed' });
      } catch (error) {
        return isOutOfBounds(error)
          ? E.left(malformed('Processing the body would need too much memory'))
          : E.left({ _tag: 'BodyReaderFailed' });
      }
    },
    close: async () => {
      await Promise.all([pools.large.close(), pools.huge.close()]);
    },
  };
};
