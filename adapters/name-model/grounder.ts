import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type { Grounder, NameModelFailed } from '../../application/ports/name-model.js';
import { type Grounding, ground } from '../../domain/grounding/ground.js';
import { ResultRow } from '../../domain/grounding/result-row.js';
import { SpeakerId } from '../../domain/kernel/ids.js';
import { forgetLastMatch } from '../runtime/memory.js';
import type { Threads } from '../runtime/threads.js';
import { type PackedTranscript, needsLargeHeap, packTranscript, unpackTranscript } from './packed-transcript.js';

/** The input of grounding, as it is posted to another thread. */
export interface PackedGrounding extends Omit<Grounding, 'transcript'> {
  readonly transcript: PackedTranscript;
}

/** Grounds proposals in a thread. */
export const groundPacked = ({ transcript, ...rest }: PackedGrounding): ReadonlyArray<ResultRow> =>
  ground({ ...rest, transcript: unpackTranscript(transcript, SpeakerId.is) });

const Rows = t.readonlyArray(ResultRow);

/** Longer transcripts, in characters, are grounded in a worker thread. */
const maxInlineLength = 50_000;

const isLong = ({ transcript }: Grounding): boolean => {
  let length = 0;
  return transcript.some(({ text }) => (length += text.length + 20) > maxInlineLength);
};

/** Grounds the proposals of models: short transcripts in this thread, long ones in a worker thread. */
export const threadedGrounder =
  (threads: Threads): Grounder =>
  (grounding) => {
    if (!isLong(grounding))
      return TE.fromIO(() => {
        const rows = ground(grounding);
        forgetLastMatch();
        return rows;
      });
    const input: PackedGrounding = { ...grounding, transcript: packTranscript(grounding.transcript) };
    return TE.tryCatch(
      () =>
        threads.run({
          work: 'ground',
          lane: needsLargeHeap(input) ? 'long transcript' : 'short',
          input,
          result: Rows,
          timeoutMs: 60_000,
        }),
      (error): NameModelFailed => ({
        _tag: 'NameModelFailed',
        reason: `its answer could not be checked: ${error instanceof Error ? error.message : String(error)}`,
      }),
    );
  };
