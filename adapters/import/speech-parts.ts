import type { SpeakerRole } from '../../domain/kernel/media.js';
import type { ImportError, Stretch } from './imported.js';

/** A line of a text file, or a path into a JSON document. */
export type Place = number | string;

export const faultAt = (place: Place, message: string): ImportError =>
  typeof place === 'number' ? { line: place, message } : { line: null, path: place, message };

/** A turn of a speaker as a file has it: by label. */
export interface LabelledTurn extends Stretch {
  readonly speaker: string;
  readonly place: Place;
}

/** Something said. */
export interface Spoken extends Stretch {
  /** Null where the file does not say who. */
  readonly speaker: string | null;
  readonly text: string;
  /** It follows what stands before without a space, as punctuation does. */
  readonly glued?: boolean;
  readonly place: Place;
}

/** What a file says of speech, before speakers have numbers. */
export interface SpeechParts {
  /** `word`: utterances are to be made of them; `utterance`: they are as the provider cut them. */
  readonly grain: 'word' | 'utterance';
  /** Null for a file of turns alone. */
  readonly spoken: ReadonlyArray<Spoken> | null;
  /** The provider's own turns; without them the utterances are the turns. */
  readonly turns?: ReadonlyArray<LabelledTurn>;
  /** What the provider calls a label, where that is not the label itself. */
  readonly names?: ReadonlyMap<string, string>;
  readonly roles?: ReadonlyMap<string, SpeakerRole>;
}
