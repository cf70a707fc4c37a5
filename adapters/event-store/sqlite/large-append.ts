import type { Either } from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Appended, RevisionConflict } from '../../../application/ports/event-store.js';
import { threadPool } from '../../runtime/thread-pool.js';
import { compiledScript } from '../../runtime/package-files.js';
import { type PreparedAppend, charactersOf } from './insertion.js';
import type { LargeAppend } from './large-append-thread.js';

const Revision = t.union([t.number, t.literal('no_stream')]);

const Answer: t.Type<Either<RevisionConflict, Appended>, unknown> = t.union([
  t.type({
    _tag: t.literal('Left'),
    left: t.intersection([
      t.type({ _tag: t.literal('RevisionConflict'), stream: t.string, expected: Revision, actual: Revision }),
      t.partial({ other_history: t.literal(true) }),
    ]),
  }),
  t.type({
    _tag: t.literal('Right'),
    right: t.intersection([
      t.type({ revision: t.number, position: t.string }),
      t.partial({ repeated: t.literal(true) }),
    ]),
  }),
]);

/** Writes appends on a separate thread, each in its own transaction. */
export interface LargeAppends {
  /**
   * The result of `Insert`, once it is durable. Rejects when the append could not be written or its outcome is unknown.
   */
  readonly write: (append: PreparedAppend) => Promise<Either<RevisionConflict, Appended>>;
  readonly close: () => Promise<void>;
}

/** Milliseconds; generous, because the disk may be slow or another process may hold the lock. */
const timeoutMs = 60_000;
/** The thread ends after an append of more characters than this, to give its memory back. */
const maxKeptCharacters = 4_000_000;

/** For the log in this file. `lockTimeoutMs` is how long to wait for the lock of another process. */
export const largeAppends = (file: string, lockTimeoutMs: number): LargeAppends => {
  const pool = threadPool<LargeAppend, Either<RevisionConflict, Appended>>({
    script: compiledScript('event-store/sqlite/large-append-thread.js'),
    result: Answer,
    threads: 1,
    timeoutMs,
    megabytes: 1_024,
    isLast: ({ append }) => charactersOf(append) > maxKeptCharacters,
  });
  return { write: (append) => pool.run({ file, append, lockTimeoutMs }), close: pool.close };
};
