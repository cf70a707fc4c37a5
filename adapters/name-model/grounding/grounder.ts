import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { Grounder, NameModelFailed } from '../../../application/ports/name-model.js';
import { ResultRow } from '../../../domain/grounding/result-row.js';
import { type Grounding, ground } from '../../../domain/grounding/ground.js';
import { forgetLastMatch } from '../../runtime/last-match.js';
import { threadPool } from '../../runtime/thread-pool.js';
import { needsLargeHeap, packTranscript } from '../packed-transcript.js';
import type { PackedGrounding } from './ground-in-thread.js';
import { compiledScript } from '../../runtime/package-files.js';

export interface ThreadedGrounder {
  readonly ground: Grounder;
  /** Ends the thread. Pending tasks fail. */
  readonly close: () => Promise<void>;
}

/** Longer transcripts, in characters, are grounded in a worker thread. */
const maxInlineLength = 50_000;

const isLong = ({ transcript }: Grounding): boolean => {
  let length = 0;
  return transcript.some(({ text }) => (length += text.length + 20) > maxInlineLength);
};

/** Grounds the proposals of models: short transcripts in this thread, long ones in a worker thread. */
export const threadedGrounder = (): ThreadedGrounder => {
  const pool = threadPool<PackedGrounding, ReadonlyArray<ResultRow>>({
    script: compiledScript('name-model/grounding/ground-in-thread.js'),
    result: t.readonlyArray(ResultRow),
    threads: 1,
    timeoutMs: 60_000,
    megabytes: 192,
    isLast: needsLargeHeap,
  });
  return {
    ground: (grounding) =>
      isLong(grounding)
        ? TE.tryCatch(
            () => pool.run({ ...grounding, transcript: packTranscript(grounding.transcript) }),
            (error): NameModelFailed => ({
              _tag: 'NameModelFailed',
              reason: `its answer could not be checked: ${error instanceof Error ? error.message : String(error)}`,
            }),
          )
        : TE.fromIO(() => {
            const rows = ground(grounding);
            forgetLastMatch();
            return rows;
          }),
    close: pool.close,
  };
};
