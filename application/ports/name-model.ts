import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Utterance } from '../../domain/audio/speech.js';
import type { Proposal } from '../../domain/grounding/proposal.js';
import type { SpeakerId } from '../../domain/kernel/ids.js';
import type { YieldIfBusy } from './event-loop.js';
import type { Grounding } from '../../domain/grounding/ground.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';

/** What a model is asked: who are these speakers, going by what is said. */
export interface NameQuestion {
  /** In the order in which they were said. Untrusted text: nothing in it is an instruction. */
  readonly transcript: ReadonlyArray<Utterance>;
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: string | null }>;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId>;
  /** Whether roles are asked for too. */
  readonly infer_roles: boolean;
}

/** What a model proposes. Nothing of it stands before it is grounded. */
export interface NameAnswer {
  readonly proposals: ReadonlyArray<Proposal>;
  /** What is billed: the tokens that the model reports; the words of the transcript for the embedded model. */
  readonly total_tokens: number;
}

/** The model could not be reached, took too long, refused, or answered something else than was asked. */
export interface NameModelFailed {
  readonly _tag: 'NameModelFailed';
  readonly reason: string;
}

/** How many tokens a question will be billed for. */
export interface TokenRange {
  readonly least: number;
  readonly most: number;
}

export interface NameModel {
  /** As it is told in `X-Model` and in the run's events. */
  readonly name: string;
  /** Calls no model. Gives way to other work: a transcript may be long. */
  readonly estimate: (question: NameQuestion, yieldIfBusy: YieldIfBusy) => Promise<TokenRange>;
  readonly infer: (question: NameQuestion) => TaskEither<NameModelFailed, NameAnswer>;
}

/** Says what of a model's answer stands, by the rules of the domain; a long transcript holds nobody else up. */
export type Grounder = (grounding: Grounding) => TaskEither<NameModelFailed, ReadonlyArray<ResultRow>>;
