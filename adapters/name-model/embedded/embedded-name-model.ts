import { availableParallelism } from 'node:os';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { NameAnswer, NameModel, NameModelFailed } from '../../../application/ports/name-model.js';
import { Proposal } from '../../../domain/grounding/proposal.js';
import { threadPool } from '../../runtime/thread-pool.js';
import { needsLargeHeap, packTranscript } from '../packed-transcript.js';
import type { PackedQuestion } from './answer-question.js';
import { Tokens } from '../tokens.js';
import { wordCount } from './word-count.js';
import { compiledScript } from '../../runtime/package-files.js';

/** The result of a thread. */
const Proposed: t.Type<NameAnswer, unknown> = t.type({ proposals: t.readonlyArray(Proposal), total_tokens: Tokens });

export interface EmbeddedNameModel extends NameModel {
  /** Ends the threads. Pending questions fail. */
  readonly close: () => Promise<void>;
}

/** Infers names by rules, in worker threads: without network and deterministic. */
export const embeddedNameModel = (): EmbeddedNameModel => {
  const pool = threadPool<PackedQuestion, NameAnswer>({
    script: compiledScript('name-model/embedded/answer-question.js'),
    result: Proposed,
    threads: Math.max(1, availableParallelism() - 1),
    timeoutMs: 60_000,
    megabytes: 192,
    isLast: needsLargeHeap,
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
