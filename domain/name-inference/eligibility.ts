import * as E from 'fp-ts/lib/Either.js';
import type { SpeakerId } from '../kernel/ids.js';
import { type MediaKind, type ProcessingStatus, isTold } from '../kernel/media.js';

/** What has to be known of an audio and its parent before a model is asked about it. */
export interface InquiryFacts {
  readonly status: ProcessingStatus;
  readonly kind: MediaKind;
  readonly speakers: ReadonlyMap<SpeakerId, { readonly synthetic: boolean }>;
  readonly transcript_available: boolean;
  readonly provider_supplied: boolean;
  readonly transcript_replaced: boolean;
  readonly speech_segments: string | null;
  /** Null for audio-only media; `missing` when the video that the audio points at does not exist. */
  readonly parent: { readonly kind: MediaKind } | 'missing' | null;
}

/** For good: no later analysis makes the audio eligible again, except for what another upload would be. */
export type Ineligible = 'meeting' | 'provider_supplied' | 'transcript_replaced' | 'speech_segments' | 'parent_meeting';

export type InquiryRefusal =
  | { readonly _tag: 'EmptyTargets' }
  | { readonly _tag: 'TargetNotInAudio'; readonly speaker_id: number }
  | { readonly _tag: 'SyntheticTarget'; readonly speaker_id: SpeakerId }
  | { readonly _tag: 'ParentMissing' }
  | { readonly _tag: 'IneligibleAudio'; readonly why: Ineligible }
  | { readonly _tag: 'MediaNotCompleted'; readonly medium: 'audio'; readonly status: ProcessingStatus }
  | { readonly _tag: 'TranscriptNotReady' };

const ineligible = (facts: InquiryFacts): Ineligible | null => {
  if (facts.kind === 'meeting') return 'meeting';
  if (facts.parent !== null && facts.parent !== 'missing' && facts.parent.kind === 'meeting') return 'parent_meeting';
  if (facts.transcript_replaced) return 'transcript_replaced';
  if (facts.provider_supplied) return 'provider_supplied';
  return facts.speech_segments === null ? null : 'speech_segments';
};

/** Whether the speakers of an audio may be asked after (specification, section 4.2, prerequisites; contract, order of checks). */
export const checkInquiry = (
  facts: InquiryFacts,
  target_speaker_ids: ReadonlyArray<SpeakerId>,
): E.Either<InquiryRefusal, void> => {
  if (target_speaker_ids.length === 0) return E.left({ _tag: 'EmptyTargets' });
  if (isTold(facts.status, facts.speakers.size))
    for (const speaker_id of target_speaker_ids) {
      const speaker = facts.speakers.get(speaker_id);
      if (speaker === undefined) return E.left({ _tag: 'TargetNotInAudio', speaker_id });
      if (speaker.synthetic) return E.left({ _tag: 'SyntheticTarget', speaker_id });
    }
  if (facts.parent === 'missing') return E.left({ _tag: 'ParentMissing' });
  const why = ineligible(facts);
  if (why !== null) return E.left({ _tag: 'IneligibleAudio', why });
  if (facts.status !== 'completed') return E.left({ _tag: 'MediaNotCompleted', medium: 'audio', status: facts.status });
  return facts.transcript_available ? E.right(undefined) : E.left({ _tag: 'TranscriptNotReady' });
};
