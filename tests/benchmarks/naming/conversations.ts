import type { Utterance } from '../../../domain/audio/events.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';

/** Whether a name is ever said: in full, in part, or not; the others have no name to find. */
export type Spoken = 'full' | 'partial' | 'not_spoken' | 'unnamed' | 'operator' | 'unlabelled';

export interface Truth {
  readonly name: string;
  readonly spoken: Spoken;
}

/** The utterances of one recording, and the true speakers. */
export interface Conversation {
  readonly id: string;
  readonly transcript: readonly Utterance[];
  readonly truth: ReadonlyMap<SpeakerId, Truth>;
}

/** The conversation without capitals and punctuation, as some recognisers write it. */
export const lowerCased = ({ transcript, ...rest }: Conversation): Conversation => ({
  ...rest,
  transcript: transcript.map((utterance) => ({
    ...utterance,
    text: utterance.text
      .toLowerCase()
      .replace(/[-‑–—/]+/gu, ' ')
      .replace(/[^\p{L}\p{N}\p{M}\s]+/gu, '')
      .replace(/\s+/gu, ' ')
      .trim(),
  })),
});
