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

/** Writes appends on a thread of its own, each in a transaction of its own. */
export interface LargeAppends {
  /** What `Insert` answers, once that is durable. Rejects when it could not be written, or nobody knows. */
  readonly write: (append: PreparedAppend) => Promise<Either<RevisionConflict, Appended>>;
  readonly close: () => Promise<void>;
}

/** What may take longer than others wait for: a disk, or another process that holds the lock. */
const longest = 60_000;
/** A thread that has had an append of more characters in its memory ends with it. */
const mostKept = 4_000_000;

/** For the log of this file; `patience` is for how many milliseconds another process's lock is waited for. */
export const largeAppends = (file: string, patience: number): LargeAppends => {
  const pool = threadPool<LargeAppend, Either<RevisionConflict, Appended>>({
    script: compiledScript('event-store/sqlite/large-append-thread.js'),
    result: Answer,
    threads: 1,
    longest,
    megabytes: 1_024,
    isLast: ({ append }) => charactersOf(append) > mostKept,
  });
  return { write: (append) => pool.run({ file, append, patience }), close: pool.close };
};
