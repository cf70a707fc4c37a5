import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { Grounder, NameModelFailed } from '../../../application/ports/name-model.js';
import { ResultRow } from '../../../domain/grounding/result-row.js';
import { type Grounding, ground } from '../../../domain/grounding/ground.js';
import { threadPool } from '../../runtime/thread-pool.js';
import { isLongest, packTranscript } from '../packed-transcript.js';
import type { PackedGrounding } from './ground-in-thread.js';
import { compiledScript } from '../../runtime/package-files.js';

export interface ThreadedGrounder {
  readonly ground: Grounder;
  /** Ends the thread; what is under way is broken off. */
  readonly close: () => Promise<void>;
}

/** A transcript of more characters is looked through in another thread. */
const long = 50_000;

const isLong = ({ transcript }: Grounding): boolean => {
  let length = 0;
  return transcript.some(({ text }) => (length += text.length + 20) > long);
};

/** Grounds what models propose: short transcripts at once, long ones in a worker thread. */
export const threadedGrounder = (): ThreadedGrounder => {
  const pool = threadPool<PackedGrounding, ReadonlyArray<ResultRow>>({
    script: compiledScript('name-model/grounding/ground-in-thread.js'),
    result: t.readonlyArray(ResultRow),
    threads: 1,
    timeoutMs: 60_000,
    megabytes: 192,
    isLast: isLongest,
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
        : TE.fromIO(() => ground(grounding)),
    close: pool.close,
  };
};
