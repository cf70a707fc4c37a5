import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { threadPool } from '../../runtime/thread-pool.js';
import { type MalformedBody, type ReadBody, malformed } from '../decode.js';
import type { LargeBody } from './read-large.js';
import { compiledScript } from '../../runtime/package-files.js';

/** Reads large bodies in worker threads, so that they do not block other requests. */
export interface LargeBodies {
  /** Transfers memory that is not shared to the thread: it cannot be used afterwards. */
  readonly read: ReadBody;
  /** Terminates the threads; bodies in progress fail. */
  readonly close: () => Promise<void>;
}

/** Bodies above this size have a separate thread, so that smaller ones do not wait for seconds. */
const minHuge = 2 * 1024 * 1024;

const Malformed = t.type({
  _tag: t.literal('MalformedBody'),
  message: t.string,
  errors: t.readonlyArray(t.type({ path: t.string, message: t.string })),
});

/** The result of a thread. The reader of the endpoint checks the body. */
type Answer = E.Either<MalformedBody, unknown>;
const Answer: t.Type<Answer, unknown> = t.union([
  t.type({ _tag: t.literal('Left'), left: Malformed }),
  t.type({ _tag: t.literal('Right'), right: t.unknown }),
]);

/** One body at a time: each may take a hundred megabytes while it is read. */
const oneThread = () =>
  threadPool<LargeBody, Answer>({
    script: compiledScript('http/bodies/read-large.js'),
    result: Answer,
    threads: 1,
    timeoutMs: 60_000,
    megabytes: 192,
  });

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

export const largeBodies = (): LargeBodies => {
  const pools = { large: oneThread(), huge: oneThread() };
  return {
    read:
      (reader, { blocks, length }) =>
      async () => {
        const pool = length > minHuge ? pools.huge : pools.large;
        try {
          const transfer = blocks.flatMap(({ buffer }) => (buffer instanceof ArrayBuffer ? [buffer] : []));
          const answer = await pool.run({ name: reader.codec.name, blocks, length }, transfer);
          if (E.isLeft(answer)) return answer;
          return reader.is(answer.right) ? E.right(answer.right) : E.left({ _tag: 'BodyReaderFailed' });
        } catch (error) {
          return isOutOfMemory(error)
            ? E.left(malformed('Processing the body would need too much memory'))
            : E.left({ _tag: 'BodyReaderFailed' });
        }
      },
    close: async () => {
      await Promise.all([pools.large.close(), pools.huge.close()]);
    },
  };
};
