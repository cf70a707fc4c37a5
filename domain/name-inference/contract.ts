import type { CommandOf } from '../kernel/decider.js';
import * as t from 'io-ts';
import { ResultRow } from '../grounding/result-row.js';
import { type Credits, CreditsText } from '../kernel/credits.js';
import { type DataIn, type EventOf, nullable } from '../kernel/recorded-event.js';
import { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

/** `suggest` writes nothing; `commit` writes accepted names and roles to the audio. */
export const InferenceMode = t.keyof({ suggest: null, commit: null }, 'InferenceMode');
export type InferenceMode = t.TypeOf<typeof InferenceMode>;

const Inquiry = t.intersection([
  t.type({
    run_id: RunId,
    audio_id: AudioId,
    video_id: nullable(VideoId),
    /** The account to charge. */
    account_id: AccountId,
    mode: InferenceMode,
    target_speaker_ids: t.readonlyArray(SpeakerId),
    infer_roles: t.boolean,
    model: t.string,
    at: Timestamp,
  }),
  /** The last renumbering of the audio before its transcript was read; absent if there was none. */
  t.partial({ renumbered_at: t.number }),
]);

export const nameInferenceEvents = {
  NameInferenceRequested: Inquiry,
  /** The model's answer was grounded. `amount` is the charge in credits, `total_tokens` what the model reported. */
  NameInferenceAnswered: t.intersection([
    Inquiry,
    t.type({ results: t.readonlyArray(ResultRow), total_tokens: t.number, amount: CreditsText, by: t.string }),
  ]),
  /** Not charged. */
  NameInferenceFailed: t.type({ reason: t.string, at: Timestamp }),
} as const;

export type NameInferenceEvent = EventOf<typeof nameInferenceEvents>;

type Recorded<Type extends NameInferenceEvent['type']> = DataIn<NameInferenceEvent, Type>;

export type RequestNameInference = { readonly type: 'RequestNameInference' } & t.TypeOf<typeof Inquiry>;
export interface RecordNameAnswer {
  readonly type: 'RecordNameAnswer';
  readonly results: ReadonlyArray<ResultRow>;
  readonly total_tokens: number;
  /** The price of what the model reported. */
  readonly cost: Credits;
  /** What the account holds for the run: no more is charged. */
  readonly held: Credits;
  /** The key that sent the request. */
  readonly by: string;
  readonly at: Timestamp;
}
export type RecordNameFailure = CommandOf<'RecordNameFailure', Recorded<'NameInferenceFailed'>>;
/** Abandons a run. If it was not requested yet, it can no longer be requested. */
export type AbandonInference = CommandOf<'AbandonInference', { at: Timestamp }>;
export type NameInferenceCommand = RequestNameInference | RecordNameAnswer | RecordNameFailure | AbandonInference;

export type NameInferenceRefusal =
  | { readonly _tag: 'InferenceExists' }
  | { readonly _tag: 'UnknownInference' }
  /** It was already answered or abandoned. */
  | { readonly _tag: 'InferenceEnded' };
