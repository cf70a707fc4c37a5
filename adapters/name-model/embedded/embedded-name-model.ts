import { availableParallelism } from 'node:os';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { NameAnswer, NameModel, NameModelFailed } from '../../../application/ports/name-model.js';
import { threadPool } from '../../runtime/thread-pool.js';
import { isLongest, packTranscript } from '../packed-transcript.js';
import type { PackedQuestion } from './answer-question.js';
import { wordCount } from './word-count.js';

export interface EmbeddedNameModel extends NameModel {
  /** Ends the threads; questions under way are broken off. */
  readonly close: () => Promise<void>;
}

/** Infers names by rules, in worker threads: no network, and the same answer every time. */
export const embeddedNameModel = (): EmbeddedNameModel => {
  const pool = threadPool<PackedQuestion, NameAnswer>({
    script: new URL('./answer-question.js', import.meta.url),
    threads: Math.max(1, availableParallelism() - 1),
    longest: 60_000,
    megabytes: 192,
    isLast: isLongest,
  });
  return {
    name: 'embedded-rules-1',
    estimate: ({ transcript }) => {
      const words = wordCount(transcript);
      return { least: words, most: words };
    },
    infer: (question) =>
      TE.tryCatch(
        () => pool.run({ ...question, transcript: packTranscript(question.transcript) }),
        (error): NameModelFailed => ({
          _tag: 'NameModelFailed',
          reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
        }),
      ),
    close: pool.close,
  };
};
