import * as E from 'fp-ts/lib/Either.js';
import { buildFaces } from './build-faces.js';
import { buildSpeech } from './build-speech.js';
import {
  type DocumentParts,
  type Format,
  Tally,
  type Reading,
  formatNotRecognised,
  type Imported,
  type ImportError,
  ImportRefusal,
  type ReadingOptions,
  refuse,
} from './format.js';
import type { FormatName } from './format-names.js';
import { formats } from './formats.js';
import { parseDocument } from './parse-json.js';
import { whileHeapMayGrow } from '../runtime/memory.js';
import { type Chunks, openBytes, fileBytes, linesIn, type Progress, textBlocks } from './text.js';
import { parseXml } from './xml.js';

export interface ReadOptions extends ReadingOptions {
  /** The format; by default it is recognised by content. */
  readonly format?: FormatName | undefined;
  /** The maximal length of a line, of a JSON document and of what is decompressed, in bytes; default: 256 MiB. */
  readonly maxBytes?: number;
}

/** The content of a document and its format. */
export interface ReadDocument {
  readonly format: FormatName;
  readonly imported: Imported;
  /** The pages, if other files may contain more pages of the same result. */
  readonly pages?: ReadonlyArray<unknown>;
}

const mebibyte = 1024 * 1024;
/** XML needs about twenty times its length while it is read. */
const maxXmlBytes = 32 * mebibyte;
const defaultMaxBytes = 256 * mebibyte;

/** How much of a text is looked at to recognise its format. */
const enoughToRecognise = 64 * 1024;

/** The start of a text, from its first line that is not blank, and all of it in blocks of whole lines. */
interface Text {
  readonly start: string;
  readonly blocks: Iterable<string>;
}

const textOf = (chunks: Chunks, maxLine: number): Text => {
  const rest = textBlocks(chunks, maxLine);
  const seen: string[] = [];
  let start = '';
  for (let next = rest.next(); next.done !== true; next = rest.next()) {
    seen.push(next.value);
    const more = start === '' ? next.value.trimStart() : next.value;
    start = `${start}\n${more.slice(0, enoughToRecognise)}`.trimStart();
    if (start.length >= enoughToRecognise) break;
  }
  function* blocks(): Generator<string> {
    yield* seen.splice(0);
    yield* rest;
  }
  return { start: start.slice(0, enoughToRecognise).replaceAll(/\r\n?/g, '\n'), blocks: blocks() };
};

function* linesOf(blocks: Iterable<string>): Generator<string> {
  for (const block of blocks) for (const line of linesIn(block)) yield line;
}

const wholeText = (blocks: Iterable<string>, maxBytes: number): string => {
  const all: string[] = [];
  let length = 0;
  for (const block of blocks) {
    all.push(block);
    length += block.length + 1;
    if (length > maxBytes) refuse(null, `the document is longer than ${Math.floor(maxBytes / mebibyte)} MiB`);
  }
  return all.join('\n');
};

/** A call of its own: the text would stay in memory as long as the function that hands it over. */
const jsonIn = (blocks: Iterable<string>, maxBytes: number, notes: Tally): unknown =>
  parseDocument(wholeText(blocks, maxBytes), notes);

/** Whether a text is meant as JSON: other texts may begin with a bracket, too. */
const looksLikeJson = (start: string): boolean => /^(?:\{\s*["}]|\[\s*[[{\]])/.test(start) || /^[[{]$/.test(start);

const looksLikeXml = (start: string): boolean =>
  /^<(?:\?xml\s|!--|!DOCTYPE\s|[A-Za-z_][\w.-]*(?::[\w.-]+)?[\s>])/.test(start);

/** The parts of a document as faces and speech; a document without any of both is refused. */
const built = (parts: DocumentParts, reading: Reading): Imported => {
  const faces = buildFaces(parts, reading);
  const speech = buildSpeech(parts, reading);
  if (faces !== null || speech !== null) return { faces, speech };
  const hasSpeech = parts.words ?? parts.utterances ?? parts.turns;
  const lacks = [
    ...(parts.faces === undefined ? [] : ['no faces']),
    ...(hasSpeech === undefined ? [] : [parts.missing ?? 'no words and no turns']),
  ];
  return refuse(null, `the document has ${lacks.join(', ') || 'no faces and no speech'}`);
};

/** What a format found in a document. */
interface FoundParts extends Pick<ReadDocument, 'format' | 'pages'> {
  readonly parts: DocumentParts;
}

/** The format that recognises a document. One that users name is taken without that: a variant of it, or else its first. */
const formatFor = <Known extends Format>(
  known: ReadonlyArray<Known>,
  { format: wanted }: ReadOptions,
  recognises: (format: Known) => boolean,
  from: ReadonlyArray<string>,
): Known =>
  known.find(recognises) ??
  (wanted === undefined ? undefined : known[0]) ??
  refuse(null, [...(from.length === 0 ? [] : [from.join(', ')]), formatNotRecognised.message].join(': '));

const known = <Kind extends Format['reads']>(reads: Kind, { format }: ReadOptions) =>
  formats.filter(
    (one): one is Extract<Format, { reads: Kind }> =>
      one.reads === reads && (format === undefined || one.name === format),
  );

/** Reads a JSON document in the wanted format, or in the format that it is recognised as. */
const readJson = (json: unknown, reading: Reading & ReadOptions, from: ReadonlyArray<string>): FoundParts => {
  // What was read as null may be what is missing.
  const notes = reading.notes.notes().map(({ what }) => what);
  const format = formatFor(known('json', reading), reading, ({ recognises }) => recognises(json), [...from, ...notes]);
  const pages = format.paged === true ? { pages: Array.isArray(json) ? json : [json] } : {};
  return { format: format.name, parts: format.read(json, reading), ...pages };
};

const findParts = (source: Chunks, reading: Reading & ReadOptions): FoundParts => {
  const { maxBytes = defaultMaxBytes } = reading;
  const opened = openBytes(source, maxBytes);
  const from = opened.from === null ? [] : [opened.from];
  const { start, blocks } = textOf(opened.chunks, maxBytes);
  if (start === '') return refuse(null, 'the file is empty');
  const [json, xml, lines] = [known('json', reading), known('xml', reading), known('lines', reading)];
  if (json.length > 0 && (looksLikeJson(start) || xml.length + lines.length === 0))
    return readJson(jsonIn(blocks, maxBytes, reading.notes), reading, from);
  if (xml.length > 0 && (looksLikeXml(start) || json.length + lines.length === 0)) {
    const root = parseXml(wholeText(blocks, Math.min(maxBytes, maxXmlBytes)));
    const format = formatFor(xml, reading, ({ recognises }) => recognises(root), from);
    return { format: format.name, parts: format.read(root, reading) };
  }
  const format = formatFor(lines, reading, ({ recognises }) => recognises(start), from);
  // Of lines, which are streamed, no document stays in memory.
  return { format: format.name, parts: whileHeapMayGrow(() => format.read(linesOf(blocks), reading)) };
};

/**
 * Reads what `find` finds; a refusal becomes a value. The parsed document goes with the frame of `find`, before faces and
 * speech are built: a large one needs the room.
 */
const read = (
  options: ReadOptions,
  find: (reading: Reading & ReadOptions) => FoundParts,
): E.Either<ImportError, ReadDocument> => {
  const reading = { ...options, dropped: new Tally(), notes: new Tally() };
  try {
    const { parts, ...document } = find(reading);
    return E.right({ ...document, imported: built(parts, reading) });
  } catch (error) {
    if (error instanceof ImportRefusal) return E.left(error.reason);
    throw error;
  }
};

/** Reads the bytes of a document with faces, speech or both, in any supported format. See {@link readImportFile}. */
export const readDocument = (source: Chunks, options: ReadOptions = {}): E.Either<ImportError, ReadDocument> =>
  read(options, (reading) => findParts(source, reading));

/** Reads the pages of one result as one document. */
export const readPages = (pages: ReadonlyArray<unknown>, format: FormatName): E.Either<ImportError, ReadDocument> =>
  read({ format }, (reading) => readJson(pages, reading, []));

/**
 * Reads a file. Lines are streamed, JSON documents are read as a whole; gzip and a zip with one member are opened. The
 * text must be UTF-8 or UTF-16. The first error ends the reading.
 */
export const readImportFile = (
  file: string,
  options: ReadOptions = {},
  progress: Progress = () => undefined,
): E.Either<ImportError, ReadDocument> => readDocument(fileBytes(file, progress), options);
