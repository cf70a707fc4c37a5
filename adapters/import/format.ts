import type { FaceParts } from './face-parts.js';
import type { FormatName } from './format-names.js';
import type { ReadingOptions } from './imported.js';
import type { SpeechParts } from './speech-parts.js';
import type { Tally } from './tally.js';
import type { XmlElement } from './xml.js';

/** The content of a document, before faces and speakers are numbered. */
export interface DocumentParts {
  /** What the document calls the recording. */
  readonly recording?: string | null | undefined;
  /** How many samples, words or turns the document has. */
  readonly rows: number;
  readonly faces?: ReadonlyArray<FaceParts>;
  readonly speech?: SpeechParts | undefined;
  /** What is left out. */
  readonly dropped?: Tally;
  /** What users should know. */
  readonly notes?: Tally;
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
  /** Whether a document has what this format requires. A document of another format must not be taken for this one. */
  readonly recognises: Readings[Kind]['recognises'];
  /** Pure. A document that is not valid is refused with {@link refuse}. */
  readonly read: (document: Readings[Kind]['document'], options: ReadingOptions) => DocumentParts;
  /** Whether documents are pages of one result, of which several make a document, in one file or several. */
  readonly paged?: true;
}

export type JsonFormat = FormatOf<'json'>;
export type XmlFormat = FormatOf<'xml'>;
export type LineFormat = FormatOf<'lines'>;
export type Format = JsonFormat | XmlFormat | LineFormat;
