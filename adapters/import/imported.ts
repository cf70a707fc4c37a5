/** Why a file cannot be imported. `line` counts from 1; null where no one line is at fault. */
export interface ImportError {
  readonly line: number | null;
  readonly message: string;
}

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
  readonly tracks: ReadonlyArray<Stretch>;
  readonly talking: ReadonlyArray<TalkingStretch>;
}

export interface ImportedSpeaker {
  readonly speaker_id: number;
  readonly name: null;
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
  readonly kind: 'faces';
  readonly faces: ReadonlyArray<ImportedFace>;
  readonly summary: ImportSummary;
}

export interface ImportedDiarisation {
  readonly kind: 'diarisation';
  readonly speakers: ReadonlyArray<ImportedSpeaker>;
  readonly segments: ReadonlyArray<SpeakerTurn>;
  readonly summary: ImportSummary;
}

export type Imported = ImportedFaces | ImportedDiarisation;

export interface RecordingChoice {
  /** Which recording to take from a file that holds several, by RTTM file id or AVA video id: the one of these. */
  readonly recordings?: ReadonlyArray<string> | undefined;
}
