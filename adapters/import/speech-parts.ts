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

/**
 * Like `map`, but removes each element from the list: of the hundreds of megabytes that a list of a million words takes
 * in memory, only one form is there at a time. For lists of a document that nothing reads again.
 */
export const mapAndRelease = <From, To>(
  list: ReadonlyArray<From>,
  convert: (element: From, index: number) => To,
): ReadonlyArray<To> => {
  const converted: To[] = [];
  for (const [index, element] of list.entries()) {
    converted.push(convert(element, index));
    Reflect.set(list, index, undefined);
  }
  return converted;
};

/** How long the last piece lasts if nothing tells its end. */
const lastSeconds = 1;

interface Started {
  readonly start: number;
  readonly end?: number | null | undefined;
}

const hasEnd = <Piece extends Started>(piece: Piece): piece is Piece & { readonly end: number } =>
  typeof piece.end === 'number';

/**
 * Gives pieces without an end the start of the next piece, and the last one the end of the recording if the document
 * tells it, else a second. Pieces have to come by time.
 */
export const withEnds = <Piece extends Started>(
  pieces: ReadonlyArray<Piece>,
  recordingEnd: number | null = null,
): ReadonlyArray<Piece & { readonly end: number }> =>
  pieces.map((piece, index) => {
    if (hasEnd(piece)) return piece;
    const next = pieces[index + 1]?.start ?? recordingEnd ?? piece.start + lastSeconds;
    return { ...piece, end: Math.max(piece.start, next) };
  });
