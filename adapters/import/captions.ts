import { withoutRolling } from './cues.js';
import { type Captioned, spokenByLabels } from './labels-in-text.js';
import type { Spoken } from './speech-parts.js';
import type { Tally } from './tally.js';

/** A caption of a format that may say who speaks; null: a label before the text may. */
export interface Caption extends Captioned {
  readonly speaker: string | null;
}

const hasText = ({ text }: Captioned): boolean => text.some((line) => line.trim() !== '');

/** How the captions of a format are understood. */
export interface CaptionRules {
  /** Whether a caption without a speaker belongs to the previous one, and else to nobody. */
  readonly inherits: boolean;
  /** Whether captions may roll: they show text again. */
  readonly rolls: boolean;
}

/** Who says what in captions, by their speakers or else the labels before the text. */
export const spokenInCaptions = (
  captions: ReadonlyArray<Caption>,
  { inherits, rolls }: CaptionRules,
  dropped: Tally,
  notes: Tally,
): ReadonlyArray<Spoken> => {
  const given = captions.filter(hasText);
  dropped.add('caption without text', captions.length - given.length);
  const unnamed = given.filter(({ speaker }) => speaker === null);
  return [
    ...given.flatMap(({ speaker, text, ...piece }) =>
      speaker === null ? [] : [{ ...piece, speaker, text: text.join(' ') }],
    ),
    ...spokenByLabels(rolls ? withoutRolling(unnamed, notes) : unnamed, inherits),
  ];
};
