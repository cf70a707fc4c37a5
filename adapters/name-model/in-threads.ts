import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { Grounder, NameAnswer, NameModel, NameModelFailed } from '../../application/ports/name-model.js';
import { type Grounding, ground } from '../../domain/grounding/ground.js';
import { Proposal } from '../../domain/grounding/proposal.js';
import { ResultRow } from '../../domain/grounding/result-row.js';
import { forgetLastRegExpMatch } from '../runtime/memory.js';
import type { Threads } from '../runtime/threads.js';
import { Tokens, lengthOf, wordCount } from './tokens.js';

type Transcript = Grounding['transcript'];

/** The length from which a transcript needs so much memory that its thread has to end afterwards. */
const maxShort = 1_000_000;

/** Work on a transcript in a worker thread. `what`: what has failed, for the reason. */
const inThread = <Result>(
  threads: Threads,
  work: 'proposeNames' | 'ground',
  input: { readonly transcript: Transcript },
  result: t.Type<Result, unknown>,
  what: string,
): TE.TaskEither<NameModelFailed, Result> => {
  const lane = lengthOf(input.transcript) > maxShort ? 'long transcript' : 'short';
  return TE.tryCatch(
    () => threads.run({ work, lane, input, result, timeoutMs: 60_000 }),
    (error) => ({
      _tag: 'NameModelFailed',
      reason: `${what}: ${error instanceof Error ? error.message : String(error)}`,
    }),
  );
};

const Proposed: t.Type<NameAnswer, unknown> = t.type({ proposals: t.readonlyArray(Proposal), total_tokens: Tokens });

/** Infers names by rules, in worker threads: without network and deterministic. */
export const embeddedNameModel = (threads: Threads): NameModel => ({
  name: 'embedded-rules-1',
  estimate: ({ transcript }) => {
    const words = wordCount(transcript);
    return { least: words, most: words };
  },
  infer: (question) => inThread(threads, 'proposeNames', question, Proposed, 'the rules could not be applied'),
});

const Rows = t.readonlyArray(ResultRow);

/** Longer transcripts, in characters, are grounded in a worker thread. */
const maxInlineLength = 50_000;

/** Utterances count too: each has overhead. */
const isLong = (transcript: Transcript): boolean => lengthOf(transcript) + 20 * transcript.length > maxInlineLength;

/** Grounds the proposals of models: short transcripts in this thread, long ones in a worker thread. */
export const threadedGrounder =
  (threads: Threads): Grounder =>
  (grounding) =>
    isLong(grounding.transcript)
      ? inThread(threads, 'ground', grounding, Rows, 'its answer could not be checked')
      : TE.fromIO(() => {
          const rows = ground(grounding);
          forgetLastRegExpMatch();
          return rows;
        });
