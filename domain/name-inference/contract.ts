import * as t from 'io-ts';
import { ResultRow } from '../grounding/result-row.js';
import { type Credits, CreditsText } from '../kernel/credits.js';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

/** `suggest` writes nothing; `commit` writes accepted names and roles to the audio. */
export const InferenceMode = t.keyof({ suggest: null, commit: null }, 'InferenceMode');
export type InferenceMode = t.TypeOf<typeof InferenceMode>;

const Inquiry = t.type({
  run_id: RunId,
  audio_id: AudioId,
  video_id: nullable(VideoId),
  /** Whose account is charged. */
  account_id: AccountId,
  mode: InferenceMode,
  target_speaker_ids: t.readonlyArray(SpeakerId),
  infer_roles: t.boolean,
  model: t.string,
  at: Timestamp,
});

export const nameInferenceEvents = {
  NameInferenceRequested: Inquiry,
  /** The model answered and its answer was grounded; `amount` (credits) is what the account is charged for it. */
  NameInferenceAnswered: t.intersection([
    Inquiry,
    t.type({ results: t.readonlyArray(ResultRow), total_tokens: t.number, amount: CreditsText, by: t.string }),
  ]),
  /** Not billed. */
  NameInferenceFailed: t.type({ reason: t.string, at: Timestamp }),
} as const;

export type NameInferenceEvent = EventOf<typeof nameInferenceEvents>;

export type RequestNameInference = { readonly type: 'RequestNameInference' } & t.TypeOf<typeof Inquiry>;
export interface RecordNameAnswer {
  readonly type: 'RecordNameAnswer';
  readonly results: ReadonlyArray<ResultRow>;
  readonly total_tokens: number;
  readonly amount: Credits;
  /** The key that asked. */
  readonly by: string;
  readonly at: Timestamp;
}
export interface RecordNameFailure {
  readonly type: 'RecordNameFailure';
  readonly reason: string;
  readonly at: Timestamp;
}
/** Ends a run that nobody hears of any more, also one that has not begun to write: it may not begin then. */
export interface GiveUpInference {
  readonly type: 'GiveUpInference';
  readonly at: Timestamp;
}
export type NameInferenceCommand = RequestNameInference | RecordNameAnswer | RecordNameFailure | GiveUpInference;

export type NameInferenceRefusal =
  | { readonly _tag: 'InferenceExists' }
  | { readonly _tag: 'UnknownInference' }
  /** It was answered, or given up, before. */
  | { readonly _tag: 'InferenceEnded' };
