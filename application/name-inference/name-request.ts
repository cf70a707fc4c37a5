import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { AdmissionRefusal } from '../../domain/credit-account/contract.js';
import type { Credits } from '../../domain/kernel/credits.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import type { RunId, SpeakerId } from '../../domain/kernel/ids.js';
import type { InferenceMode } from '../../domain/name-inference/contract.js';
import type { InquiryRefusal } from '../../domain/name-inference/eligibility.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { NameModelFailed } from '../ports/name-model.js';

export interface NameRequest {
  readonly audio: RegisteredAudio;
  readonly mode: InferenceMode;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId>;
  readonly infer_roles: boolean;
  /** The most that the caller wants to pay; null: whatever it costs. */
  readonly max_credits: Credits | null;
}

export interface InferredNames {
  readonly run_id: RunId;
  readonly model: string;
  readonly results: ReadonlyArray<ResultRow>;
  /** Whether this is the answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

/** The run was given up and not billed: a repetition with its key took over. */
export interface RunTakenOver {
  readonly _tag: 'RunTakenOver';
  readonly run_id: RunId;
}

export type InferenceRefusal =
  | InquiryRefusal
  | AdmissionRefusal
  | NameModelFailed
  | RunTakenOver
  | RevisionChanged
  | Failure;
