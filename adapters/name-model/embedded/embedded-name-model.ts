import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { NameAnswer, NameModel, NameModelFailed } from '../../../application/ports/name-model.js';
import { Proposal } from '../../../domain/grounding/proposal.js';
import type { Threads } from '../../runtime/threads.js';
import { laneOf, wordCount } from '../transcript-length.js';
import { Tokens } from '../merge-answers.js';

/** The result of a thread. */
const Proposed: t.Type<NameAnswer, unknown> = t.type({ proposals: t.readonlyArray(Proposal), total_tokens: Tokens });

/** Infers names by rules, in worker threads: without network and deterministic. */
export const embeddedNameModel = (threads: Threads): NameModel => ({
  name: 'embedded-rules-1',
  estimate: ({ transcript }) => {
    const words = wordCount(transcript);
    return { least: words, most: words };
  },
  infer: (question) =>
    TE.tryCatch(
      () =>
        threads.run({
          work: 'proposeNames',
          lane: laneOf(question.transcript),
          input: question,
          result: Proposed,
          timeoutMs: 60_000,
        }),
      (error): NameModelFailed => ({
        _tag: 'NameModelFailed',
        reason: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      }),
    ),
});
