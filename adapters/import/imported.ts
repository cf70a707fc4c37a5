import type { SpeakerRole } from '../../domain/kernel/media.js';

/** Why a file cannot be imported. `line` counts from 1; null where no one line is at fault. */
export interface ImportError {
  readonly line: number | null;
  /** Where in a JSON document, as in `results.items[3].start_time`; absent in other files. */
  readonly path?: string;
  readonly message: string;
}

/** What a place or a message may come to, in characters: they quote the document, which may be one long word. */
const longestQuote = 500;

/** A text that quotes a document, cut off where it is long. */
export const quoted = (text: string): string =>
  text.length > longestQuote ? `${text.slice(0, longestQuote).toWellFormed()}…` : text;

export const notRecognised: ImportError = {
  line: null,
  message: 'the format is not recognised: it looks like none of those that can be imported; --format names one',
};

/** An import error and the path of the file that has it. */
export interface FileError extends ImportError {
  readonly file: string;
}

/** A stretch of media time, in seconds from the start of the medium. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** How surely a face talks during a stretch, from 0 to 1. */
export interface TalkingStretch extends Stretch {
  readonly score: number;
}

/** One face as the body of a video's analysis has it. */
export interface ImportedFace {
  readonly id: number;
  /** A person's real name; null for a face that the file only numbers. */
  readonly name: string | null;
  readonly tracks: ReadonlyArray<Stretch>;
  readonly talking: ReadonlyArray<TalkingStretch>;
}

export interface ImportedSpeaker {
  readonly speaker_id: number;
  /** A person's real name; null for a label that a tool made up. */
  readonly name: string | null;
  /** Null where the file says nothing of it. */
  readonly role: SpeakerRole | null;
  /** True for the track of all that the file gives to no speaker. */
  readonly synthetic: boolean;
  /** What the file calls the speaker. */
  readonly label: string;
}

export interface SpeakerTurn extends Stretch {
  readonly speaker_id: number;
}

/** Something of the file that the result leaves out or that a reader should know, and how often it occurred. */
export interface ImportNote {
  readonly count: number;
  readonly what: string;
}

export interface ImportSummary {
  /** The file's own id of the recording, where its format has one. */
  readonly recording: string | null;
  /** Rows of data, without headers, comments and blank lines. */
  readonly rows: number;
  /** Summed length of the visible stretches or of the turns. */
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

/** A word, or the least that the file gives a time of. */
export interface SpokenPiece extends Stretch {
  readonly speaker_id: number;
  readonly text: string;
  /** It follows the piece before without a space, as punctuation does. */
  readonly glued: boolean;
}

export interface ImportedSpeech {
  readonly speakers: ReadonlyArray<ImportedSpeaker>;
  readonly segments: ReadonlyArray<SpeakerTurn>;
  /** Null for a file of turns alone. */
  readonly transcript: {
    readonly utterances: ReadonlyArray<SpokenTurn>;
    readonly pieces: ReadonlyArray<SpokenPiece>;
    readonly words: number;
    /** What the pieces are; see the parts of speech. */
    readonly grain: 'word' | 'utterance';
  } | null;
  readonly summary: ImportSummary;
}

/** What a file holds: faces, speech, or both. */
export interface Imported {
  readonly faces: ImportedFaces | null;
  readonly speech: ImportedSpeech | null;
}

export interface RecordingChoice {
  /** Which recording to take from a file that holds several, by RTTM file id or AVA video id: the one of these. */
  readonly recordings?: ReadonlyArray<string> | undefined;
}
