import * as E from 'fp-ts/lib/Either.js';
import type { RealtimeEngine } from '../../../application/ports/realtime-engine.js';
import { sessionId } from '../values.js';
import { mutatedCandidate, mutatedOffer } from './mutated.js';
import { browserOffer, hostCandidate } from './offers.js';

export interface FuzzOutcome {
  readonly answered: number;
  readonly refused: number;
  readonly candidatesTaken: number;
  readonly candidatesRefused: number;
  /** Reasons of requests that the engine failed to answer; there must be none. */
  readonly unavailable: readonly string[];
}

/** Gives an engine `count` malformed offers, each with a malformed candidate, one session after the other. */
export const fuzzEngine = async (
  engine: RealtimeEngine,
  count: number,
  random: () => number,
  progress: (done: number) => void = () => undefined,
): Promise<FuzzOutcome> => {
  const unavailable: string[] = [];
  let answered = 0;
  let candidatesTaken = 0;
  const note = (outcome: E.Either<{ readonly _tag: string; readonly reason: string }, unknown>): number => {
    if (E.isRight(outcome)) return 1;
    if (outcome.left._tag === 'EngineUnavailable') unavailable.push(outcome.left.reason);
    return 0;
  };
  for (let at = 0; at < count; at += 1) {
    const id = sessionId(`fuzz-${at}`);
    answered += note(await engine.negotiate(id, mutatedOffer(browserOffer, random), () => undefined)());
    const candidate = { candidate: mutatedCandidate(hostCandidate, random), sdp_mid: '0', sdp_m_line_index: 0 };
    candidatesTaken += note(await engine.addCandidate(id, candidate)());
    note(await engine.close(id)());
    progress(at + 1);
  }
  const refused = count - answered;
  return { answered, refused, candidatesTaken, candidatesRefused: count - candidatesTaken, unavailable };
};
