import type { SpeakerRole } from '../../domain/kernel/media.js';

/** Why a file cannot be imported. `line` counts from 1; null if the error is not in one line. */
export interface ImportError {
  readonly line: number | null;
  /** The place in a JSON document, such as `results.items[3].start_time`; absent in other files. */
  readonly path?: string;
  readonly message: string;
}

/** The maximal length of a place or message, in characters, because they quote the document. */
const maxQuoteLength = 500;

/** A text that quotes a document, truncated if it is long. */
export const quoted = (text: string): string =>
  text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength).toWellFormed()}…` : text;

export const formatNotRecognised: ImportError = {
  line: null,
  message:
    'the format is not recognised; if it is a supported one, name it (--format on the command line, format in a query)',
};

/** A line of a text file, a path into a JSON document, or null for the whole document. */
export type Place = number | string | null;

/** Thrown by the readers of documents; {@link readDocument} turns it into a value. */
export class ImportRefusal extends Error {
  readonly reason: ImportError;

  constructor(reason: ImportError) {
    super(reason.message);
    this.reason = reason;
  }
}

/** Refuses a document because of what is at this place. */
export const refuse = (place: Place, message: string): never => {
  throw new ImportRefusal(typeof place === 'string' ? { line: null, path: place, message } : { line: place, message });
};

/** An import error and the path of the file that has it. */
export interface FileError extends ImportError {
  readonly file: string;
}

/** An interval of media time, in seconds from the start of the medium. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** How likely a face talks during an interval, from 0 to 1. */
export interface TalkingInterval extends Interval {
  readonly score: number;
}

/** Where a face is seen at a moment, in shares of the picture. */
export interface FaceBox {
  readonly at: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** One face as in the body of a video analysis. */
export interface ImportedFace {
  readonly id: number;
  /** A person's real name; null if the file has only a number or label. */
  readonly name: string | null;
  readonly tracks: ReadonlyArray<Interval>;
  /** Empty if the format has no talking scores. */
  readonly talking: ReadonlyArray<TalkingInterval>;
  /** At most one a second; empty if the format has no boxes. */
  readonly boxes: ReadonlyArray<FaceBox>;
}

export interface ImportedSpeaker {
  readonly speaker_id: number;
  /** A person's real name; null for a label that a tool generated. */
  readonly name: string | null;
  /** Null if the file does not say. */
  readonly role: SpeakerRole | null;
  /** True for the synthetic speaker of everything that the file assigns to nobody. */
  readonly synthetic: boolean;
  /** The speaker's label in the file. */
  readonly label: string;
}

export interface SpeakerTurn extends Interval {
  readonly speaker_id: number;
}

/** Something that was left out or that users should know, and how often it occurred. */
export interface ImportNote {
  readonly count: number;
  readonly what: string;
}

export interface ImportSummary {
  /** The recording's id in the file, if the format has one. */
  readonly recording: string | null;
  /** Rows of data, without headers, comments and blank lines. */
  readonly rows: number;
  /** Summed length of the visible intervals or of the turns. */
  readonly seconds: number;
  readonly dropped: ReadonlyArray<ImportNote>;
  readonly notes: ReadonlyArray<ImportNote>;
}

export interface ImportedFaces {
  readonly faces: ReadonlyArray<ImportedFace>;
  readonly summary: ImportSummary;
}

export interface SpokenTurn extends SpeakerTurn {
  readonly text: string;
}

/** A word, or the smallest unit with a time in the file. */
export interface SpokenPiece extends Interval {
  /** The label of the speaker; null for nobody. */
  readonly speaker: string | null;
  readonly text: string;
  /** It follows the previous piece without a space, such as punctuation. */
  readonly glued?: boolean;
}

export interface ImportedSpeech {
  readonly speakers: ReadonlyArray<ImportedSpeaker>;
  readonly segments: ReadonlyArray<SpeakerTurn>;
  /** Null for a file with turns only. */
  readonly transcript: {
    readonly utterances: ReadonlyArray<SpokenTurn>;
    readonly pieces: ReadonlyArray<SpokenPiece>;
    readonly words: number;
    /** What the pieces are. */
    readonly grain: 'word' | 'utterance';
  } | null;
  readonly summary: ImportSummary;
}

/** What a file holds: faces, speech, or both. */
export interface Imported {
  readonly faces: ImportedFaces | null;
  readonly speech: ImportedSpeech | null;
}

/** What a document does not say about itself. */
export interface ReadingOptions {
  /** The recordings to import if a file contains several, by RTTM file id or AVA video id; each file may have one of them. */
  readonly recordings?: ReadonlyArray<string> | undefined;
  /** Frames a second, for formats that count frames. */
  readonly fps?: number | undefined;
}
