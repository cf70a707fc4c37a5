import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { SpeakerId } from '../kernel/ids.js';
import { type MediaKind, type ProcessingStatus, areSpeakersKnown } from '../kernel/media.js';

/** The facts about an audio and its parent video that decide whether names can be inferred. */
export interface InquiryFacts {
  readonly status: ProcessingStatus;
  readonly kind: MediaKind;
  readonly speakers: ReadonlyMap<SpeakerId, { readonly synthetic: boolean }>;
  readonly transcript_available: boolean;
  readonly provider_supplied: boolean;
  readonly transcript_replaced: boolean;
  readonly speech_segments: string | null;
  /** Null for audio-only media; `missing` if the audio refers to a video that does not exist. */
  readonly parent: { readonly kind: MediaKind } | 'missing' | null;
}

/** Permanent: no later analysis makes the audio eligible again, unless it changes the speech segments. */
export type Ineligible = 'meeting' | 'provider_supplied' | 'transcript_replaced' | 'speech_segments' | 'parent_meeting';

export type InquiryRefusal =
  | { readonly _tag: 'EmptyTargets' }
  | { readonly _tag: 'TargetNotInAudio'; readonly speaker_id: number }
  | { readonly _tag: 'SyntheticTarget'; readonly speaker_id: SpeakerId }
  | { readonly _tag: 'ParentMissing' }
  | { readonly _tag: 'IneligibleAudio'; readonly why: Ineligible }
  | { readonly _tag: 'AudioNotCompleted'; readonly status: ProcessingStatus }
  | { readonly _tag: 'TranscriptNotReady' };

/** The facts that can make an audio permanently ineligible. */
type PermanentFacts = Pick<
  InquiryFacts,
  'kind' | 'provider_supplied' | 'transcript_replaced' | 'speech_segments' | 'parent'
>;

/** All permanent reasons against inference, the most important first. */
const ineligibleFor = (facts: PermanentFacts): ReadonlyArray<Ineligible> => {
  const isOfMeeting = facts.parent !== null && facts.parent !== 'missing' && facts.parent.kind === 'meeting';
  return [
    ...(facts.kind === 'meeting' ? (['meeting'] as const) : []),
    ...(isOfMeeting ? (['parent_meeting'] as const) : []),
    ...(facts.transcript_replaced ? (['transcript_replaced'] as const) : []),
    ...(facts.provider_supplied ? (['provider_supplied'] as const) : []),
    ...(facts.speech_segments === null ? [] : (['speech_segments'] as const)),
  ];
};

/** Reasons against name inference, as shown in the audio record. */
export const IneligibleReason = t.keyof(
  {
    meeting: null,
    provider_supplied: null,
    transcript_replaced: null,
    speech_segments: null,
    transcript_not_ready: null,
  },
  'IneligibleReason',
);
export type IneligibleReason = t.TypeOf<typeof IneligibleReason>;

/** All reasons against name inference at present. A parent meeting is reported as `meeting`. */
export const ineligibleReasons = (
  facts: PermanentFacts & Pick<InquiryFacts, 'transcript_available'>,
): ReadonlyArray<IneligibleReason> => {
  const permanent = ineligibleFor(facts).map((why) => (why === 'parent_meeting' ? 'meeting' : why));
  return [...new Set([...permanent, ...(facts.transcript_available ? [] : (['transcript_not_ready'] as const))])];
};

/** Checks the prerequisites of name inference in the order of the contract (specification, section 4.2). */
export const checkInquiry = (
  facts: InquiryFacts,
  target_speaker_ids: ReadonlyArray<SpeakerId>,
): E.Either<InquiryRefusal, void> => {
  if (target_speaker_ids.length === 0) return E.left({ _tag: 'EmptyTargets' });
  if (areSpeakersKnown(facts.status, facts.speakers.size))
    for (const speaker_id of target_speaker_ids) {
      const speaker = facts.speakers.get(speaker_id);
      if (speaker === undefined) return E.left({ _tag: 'TargetNotInAudio', speaker_id });
      if (speaker.synthetic) return E.left({ _tag: 'SyntheticTarget', speaker_id });
    }
  if (facts.parent === 'missing') return E.left({ _tag: 'ParentMissing' });
  const [why] = ineligibleFor(facts);
  if (why !== undefined) return E.left({ _tag: 'IneligibleAudio', why });
  if (facts.status !== 'completed') return E.left({ _tag: 'AudioNotCompleted', status: facts.status });
  return facts.transcript_available ? E.right(undefined) : E.left({ _tag: 'TranscriptNotReady' });
};
