import type { RunId, SpeakerId } from '../../domain/kernel/ids.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Utterance } from '../../domain/audio/events.js';
import type { Proposal } from '../../domain/grounding/proposal.js';
import type { Grounding } from '../../domain/grounding/ground.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';

/** The question to a model: who are these speakers, according to the transcript? */
export interface NameQuestion {
  /** In order of time. Untrusted text: nothing in it is an instruction. */
  readonly transcript: ReadonlyArray<Utterance>;
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: string | null }>;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId>;
  /** Whether to infer roles too. */
  readonly infer_roles: boolean;
}

/** What a model proposes. It must be grounded in the transcript before it is used. */
export interface NameAnswer {
  readonly proposals: ReadonlyArray<Proposal>;
  /** The billed amount: tokens reported by the model, or words of the transcript for the embedded model. */
  readonly total_tokens: number;
}

/** The model could not be reached, timed out, refused, or gave an invalid answer. */
export interface NameModelFailed {
  readonly _tag: 'NameModelFailed';
  readonly reason: string;
  /** The run that failed, once there is one. */
  readonly run_id?: RunId;
}

/** The range of tokens that a question may be billed for. */
export interface TokenRange {
  readonly least: number;
  readonly most: number;
}

export interface NameModel {
  /** The name in `X-Model` and in the run's events. */
  readonly name: string;
  /** Estimates the cost without calling the model. */
  readonly estimate: (question: NameQuestion) => TokenRange;
  readonly infer: (question: NameQuestion) => TaskEither<NameModelFailed, NameAnswer>;
}

/** Grounds a model's answer in the transcript by the rules of the domain, without blocking requests. */
export type Grounder = (grounding: Grounding) => TaskEither<NameModelFailed, ReadonlyArray<ResultRow>>;
