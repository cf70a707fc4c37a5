import type { FormatName } from './format-names.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { SpeakerRole } from '../../domain/kernel/media.js';
import type { Box as FaceBox, TalkingScore } from '../../domain/video/events.js';

export type { FaceBox, Interval, TalkingScore };

/** A line of a text file, a path into a JSON document, such as `results.items[3].start_time`, or null for all of it. */
export type Place = number | string | null;

/** Why a file cannot be imported. Lines count from 1. */
export interface ImportError {
  readonly place: Place;
  readonly message: string;
}

/** The maximal length of a place or message, in characters, because they quote the document. */
const maxQuoteLength = 500;

/** A text that quotes a document, truncated if it is long. */
export const quoted = (text: string): string =>
  text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength).toWellFormed()}…` : text;

export const formatNotRecognised: ImportError = {
  place: null,
  message:
    'the format is not recognised; if it is a supported one, name it (--format on the command line, format in a query)',
};

/** Whether a document is in no known format. The message may begin with what it was taken from. */
export const isUnrecognised = ({ message }: ImportError): boolean => message.endsWith(formatNotRecognised.message);

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
  throw new ImportRefusal({ place, message });
};

/** An import error and the path of the file that has it. */
export interface FileError extends ImportError {
  readonly file: string;
}

/** One face as in the body of a video analysis. */
export interface ImportedFace {
  readonly id: number;
  /** A person's real name; null if the file has only a number or label. */
  readonly name: string | null;
  readonly tracks: ReadonlyArray<Interval>;
  /** Empty if the format has no talking scores. */
  readonly talking: ReadonlyArray<TalkingScore>;
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

interface SpokenTurn extends SpeakerTurn {
  readonly text: string;
}

export interface ImportedSpeech {
  readonly speakers: ReadonlyArray<ImportedSpeaker>;
  readonly segments: ReadonlyArray<SpeakerTurn>;
  /** Null for a file with turns only. */
  readonly transcript: {
    readonly utterances: ReadonlyArray<SpokenTurn>;
    /** The words, or the smallest units with a time in the file. */
    readonly pieces: ReadonlyArray<Spoken>;
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

/** What a document is read with: what it does not say itself, and where what was found is counted. */
export interface Reading extends ReadingOptions {
  /** What is left out. */
  readonly dropped: Tally;
  /** What users should know. */
  readonly notes: Tally;
}

/** Counts occurrences by their description. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(what: string, count = 1): void {
    if (count > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + count);
  }

  notes(): ReadonlyArray<ImportNote> {
    return [...this.#counts].map(([what, count]) => ({ count, what })).sort((a, b) => (a.what < b.what ? -1 : 1));
  }
}

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

/** How long the last piece lasts if nothing tells its end. */
const lastSeconds = 1;

/**
 * Gives pieces without an end the start of the next piece, and the last one the end of the recording if the document
 * tells it, else a second. Pieces have to come by time.
 */
export const withEnds = <Piece extends { readonly start: number; readonly end?: number | undefined }>(
  pieces: ReadonlyArray<Piece>,
  recordingEnd: number | null = null,
): ReadonlyArray<Piece & { readonly end: number }> =>
  pieces.map((piece, index) => {
    const next = pieces[index + 1]?.start ?? recordingEnd ?? piece.start + lastSeconds;
    return { ...piece, end: piece.end ?? Math.max(piece.start, next) };
  });

/** Whether each text is the rest of a word: no space separates it from the text before it. */
export const gluedBySpaces = <Piece extends { readonly text: string }>(
  pieces: ReadonlyArray<Piece>,
): ReadonlyArray<Piece & { readonly glued: boolean }> =>
  pieces.map((piece, index) => ({
    ...piece,
    glued: index > 0 && !/^\s/.test(piece.text) && !/\s$/.test(pieces[index - 1]?.text ?? ''),
  }));

/** One face of a file, before it is numbered. */
export interface FaceParts {
  /** Identifies the face in the file. */
  readonly key: string;
  /** The number of the face in the file, if it has one. */
  readonly id?: number;
  /** A person's real name, if the file has it. */
  readonly name?: string | null;
  readonly visible: ReadonlyArray<Interval>;
  /** Only if the format says when faces talk. */
  readonly talking?: ReadonlyArray<TalkingScore>;
  /** In any order, and as many as there are. */
  readonly boxes?: ReadonlyArray<FaceBox>;
}

/** An element of an XML document. Names have no prefixes of namespaces. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: ReadonlyArray<XmlElement | string>;
}

/** The content of a document, before faces and speakers are numbered. */
export interface DocumentParts {
  /** What the document calls the recording. */
  readonly recording?: string | null | undefined;
  /** How many samples, words or turns the document has. */
  readonly rows: number;
  readonly faces?: ReadonlyArray<FaceParts>;
  /** Utterances are built from words. */
  readonly words?: ReadonlyArray<Spoken>;
  /** The provider's utterances, which are kept. */
  readonly utterances?: ReadonlyArray<Spoken>;
  /** The provider's turns; without them the utterances are the turns. */
  readonly turns?: ReadonlyArray<LabelledTurn>;
  /** The names of labels, if they are not the labels themselves. */
  readonly names?: ReadonlyMap<string, string>;
  readonly roles?: ReadonlyMap<string, SpeakerRole>;
  /** What to request if the document has speech without words or times. */
  readonly missing?: string;
}

/** What a format is read from. `start` is the first 64 KiB of a text, without what is invisible before it. */
interface Readings {
  /** A JSON document, or a list of the documents of a file that has one on each line; null is absent (undefined). */
  readonly json: { readonly recognises: (json: unknown) => boolean; readonly document: unknown };
  /** The root of an XML document, or of the text of a Word document. */
  readonly xml: { readonly recognises: (root: XmlElement) => boolean; readonly document: XmlElement };
  /** The lines of a text. They are streamed: a format that walks through them once can be of any size. */
  readonly lines: { readonly recognises: (start: string) => boolean; readonly document: Iterable<string> };
}

/**
 * A format, or one of the variants of a format: how it is recognised, and how a decoded document becomes the content of
 * an import. `docs/imports.md`, "Add a format", says what has to hold.
 */
interface FormatOf<Kind extends keyof Readings> {
  readonly name: FormatName;
  readonly reads: Kind;
  /** Whether a document may be one of several pages of a result. */
  readonly paged?: true;
  /** Whether a document has what this format requires. A document of another format must not be taken for this one. */
  readonly recognises: Readings[Kind]['recognises'];
  /** Pure. A document that is not valid is refused with {@link refuse}. */
  readonly read: (document: Readings[Kind]['document'], reading: Reading) => DocumentParts;
}

export type JsonFormat = FormatOf<'json'>;
export type XmlFormat = FormatOf<'xml'>;
export type LineFormat = FormatOf<'lines'>;
export type Format = JsonFormat | XmlFormat | LineFormat;
