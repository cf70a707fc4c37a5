import type { SpeakerRole } from '../../domain/kernel/media.js';
import type { Interval, Place } from './imported.js';

/** A turn in a file, with the label of its speaker. */
export interface LabelledTurn extends Interval {
  /** Null if the file does not say who speaks. */
  readonly speaker: string | null;
  /** Speakers of different channels are different speakers. */
  readonly channel?: string | number | undefined;
  readonly place: Place;
}

/** A word or utterance in a file. */
export interface Spoken extends LabelledTurn {
  readonly text: string;
  /** It follows the previous text without a space, such as punctuation. */
  readonly glued?: boolean;
}

/** The speech in a file, before speakers are numbered. */
export interface SpeechParts {
  /** `word`: utterances are built from the words; `utterance`: the provider's utterances are kept. */
  readonly grain: 'word' | 'utterance';
  /** Null for a file with turns only. */
  readonly spoken: ReadonlyArray<Spoken> | null;
  /** The provider's turns; without them the utterances are the turns. */
  readonly turns?: ReadonlyArray<LabelledTurn>;
  /** The names of labels, if they are not the labels themselves. */
  readonly names?: ReadonlyMap<string, string>;
  readonly roles?: ReadonlyMap<string, SpeakerRole>;
  /** What to request if the document has speech without words or times. */
  readonly missing?: string;
}
