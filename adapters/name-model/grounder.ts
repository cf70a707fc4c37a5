import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { Grounder, NameModelFailed } from '../../application/ports/name-model.js';
import { type Grounding, ground } from '../../domain/grounding/ground.js';
import { ResultRow } from '../../domain/grounding/result-row.js';
import { forgetLastRegExpMatch } from '../runtime/memory.js';
import type { Threads } from '../runtime/threads.js';
import { laneOf, lengthOf } from './transcript-length.js';

const Rows = t.readonlyArray(ResultRow);

/** Longer transcripts, in characters, are grounded in a worker thread. */
const maxInlineLength = 50_000;

/** Utterances count too: each has overhead. */
const isLong = ({ transcript }: Grounding): boolean => lengthOf(transcript) + 20 * transcript.length > maxInlineLength;

/** Grounds the proposals of models: short transcripts in this thread, long ones in a worker thread. */
export const threadedGrounder =
  (threads: Threads): Grounder =>
  (grounding) => {
    if (!isLong(grounding))
      return TE.fromIO(() => {
        const rows = ground(grounding);
        forgetLastRegExpMatch();
        return rows;
      });
    return TE.tryCatch(
      () =>
        threads.run({
          work: 'ground',
          lane: laneOf(grounding.transcript),
          input: grounding,
          result: Rows,
          timeoutMs: 60_000,
        }),
      (error): NameModelFailed => ({
        _tag: 'NameModelFailed',
        reason: `its answer could not be checked: ${error instanceof Error ? error.message : String(error)}`,
      }),
    );
  };
