import type { SpeakerRole } from '../../domain/kernel/media.js';
import type { ImportError, Interval } from './imported.js';

/** A line of a text file, or a path into a JSON document. */
export type Place = number | string;

export const faultAt = (place: Place, message: string): ImportError =>
  typeof place === 'number' ? { line: place, message } : { line: null, path: place, message };

/** A turn in a file, with the label of its speaker. */
export interface LabelledTurn extends Interval {
  readonly speaker: string;
  readonly place: Place;
}

/** A word or utterance in a file. */
export interface Spoken extends Interval {
  /** Null if the file does not say who speaks. */
  readonly speaker: string | null;
  readonly text: string;
  /** It follows the previous text without a space, such as punctuation. */
  readonly glued?: boolean;
  readonly place: Place;
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
}
