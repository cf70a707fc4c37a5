import * as TE from 'fp-ts/lib/TaskEither.js';
import { Piscina } from 'piscina';
import type { Grounder } from '../../../application/ports/grounder.js';
import type { NameModelFailed } from '../../../application/ports/name-model.js';
import type { ResultRow } from '../../../domain/grounding/result-row.js';
import { type Grounding, ground } from '../../../domain/grounding/ground.js';
import { packTranscript } from '../packed-transcript.js';
import type { PackedGrounding } from './ground-in-thread.js';

export interface ThreadedGrounder {
  readonly ground: Grounder;
  /** Ends the thread; what is under way is broken off. */
  readonly close: () => Promise<void>;
}

/** A transcript of more characters is looked through in another thread. */
const long = 50_000;
const longestGrounding = 60_000;
const idleThread = 30_000;

const isLong = ({ transcript }: Grounding): boolean => {
  let length = 0;
  return transcript.some(({ text }) => (length += text.length + 20) > long);
};

/** Grounds what models propose: short transcripts at once, long ones in a worker thread. */
export const threadedGrounder = (): ThreadedGrounder => {
  const pool = new Piscina<PackedGrounding, ReadonlyArray<ResultRow>>({
    filename: new URL('./ground-in-thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleThread,
    resourceLimits: { maxOldGenerationSizeMb: 1_024 },
  });
  return {
    ground: (grounding) =>
      isLong(grounding)
        ? TE.tryCatch(
            () => {
              const packed = { ...grounding, transcript: packTranscript(grounding.transcript) };
              return pool.run(packed, { signal: AbortSignal.timeout(longestGrounding) });
            },
            (error): NameModelFailed => ({
              _tag: 'NameModelFailed',
              reason: `its answer could not be checked: ${error instanceof Error ? error.message : String(error)}`,
            }),
          )
        : TE.fromIO(() => ground(grounding)),
    close: () => pool.destroy(),
  };
};
