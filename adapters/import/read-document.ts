import * as E from 'fp-ts/lib/Either.js';
import { buildFaces } from './build-faces.js';
import { buildSpeech } from './build-speech.js';
import {
  type XmlElement,
  type DocumentParts,
  type Format,
  type JsonFormat,
  type XmlFormat,
  Tally,
  type FileError,
  formatNotRecognised,
  type Imported,
  type ImportError,
  ImportRefusal,
  type ReadingOptions,
  refuse,
} from './format.js';
import type { FormatName } from './format-names.js';
import { formats } from './formats.js';
import { parseDocument } from './json.js';
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

/** A file that was read in full. */
export interface ImportedFile extends ReadDocument {
  readonly file: string;
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

const unrecognised = (from: string | null): never =>
  refuse(null, from === null ? formatNotRecognised.message : `${from}: ${formatNotRecognised.message}`);

/** The parts of a document as faces and speech; a document without any of both is refused. */
const built = (parts: DocumentParts, notes: Tally): Imported => {
  if (parts.notes !== undefined) notes.addAll(parts.notes);
  const shared = { dropped: new Tally(), ...parts };
  const faces = buildFaces(shared, notes);
  const speech = buildSpeech(shared, notes);
  if (faces !== null || speech !== null) return { faces, speech };
  const lacks = [
    ...(parts.faces === undefined ? [] : ['no faces']),
    ...(parts.speech === undefined ? [] : [parts.speech.missing ?? 'no words and no turns']),
  ];
  return refuse(null, `the document has ${lacks.join(', ') || 'no faces and no speech'}`);
};

/** What a format found in a document. */
interface FoundParts extends Pick<ReadDocument, 'format' | 'pages'> {
  readonly parts: DocumentParts;
}

const isJson = (format: Format): format is JsonFormat => format.reads === 'json';

/** Reads a JSON document in the wanted format, or in the format that it is recognised as. */
const readJson = (
  json: unknown,
  options: ReadOptions,
  { from, notes }: { readonly from: string | null; readonly notes: Tally },
): FoundParts => {
  const known = formats.filter(isJson).filter(({ name }) => options.format === undefined || name === options.format);
  const format = known.find(({ recognises }) => recognises(json)) ?? (options.format === undefined ? null : known[0]);
  // What was read as null may be what is missing.
  if (!format) return unrecognised([from ?? [], notes.notes().map(({ what }) => what)].flat().join(', ') || null);
  const pages = format.paged === true ? { pages: Array.isArray(json) ? json : [json] } : {};
  return { format: format.name, parts: format.read(json, options), ...pages };
};

/** Reads XML in the wanted format, or in the format that it is recognised as. */
const readXml = (
  root: XmlElement,
  known: ReadonlyArray<XmlFormat>,
  options: ReadOptions,
  from: string | null,
): FoundParts => {
  const format = known.find(({ recognises }) => recognises(root)) ?? (options.format === undefined ? null : known[0]);
  return format ? { format: format.name, parts: format.read(root, options) } : unrecognised(from);
};

const findParts = (source: Chunks, options: ReadOptions, notes: Tally): FoundParts => {
  const { format: wanted, maxBytes = defaultMaxBytes } = options;
  const { chunks, from } = openBytes(source, maxBytes);
  const { start, blocks } = textOf(chunks, maxBytes);
  if (start === '') return refuse(null, 'the file is empty');
  const known = formats.filter(({ name }) => wanted === undefined || name === wanted);
  if (known.some(isJson) && (looksLikeJson(start) || known.every(isJson)))
    return readJson(jsonIn(blocks, maxBytes, notes), options, { from, notes });
  const xml = known.flatMap((format) => (format.reads === 'xml' ? [format] : []));
  if (xml.length > 0 && (looksLikeXml(start) || xml.length === known.length))
    return readXml(parseXml(wholeText(blocks, Math.min(maxBytes, maxXmlBytes))), xml, options, from);
  const texts = known.flatMap((format) => (format.reads === 'lines' ? [format] : []));
  const format = texts.find(({ recognises }) => recognises(start)) ?? (wanted === undefined ? undefined : texts[0]);
  if (format === undefined) return unrecognised(from);
  // Of lines, which are streamed, no document stays in memory.
  return { format: format.name, parts: whileHeapMayGrow(() => format.read(linesOf(blocks), options)) };
};

/** The parsed document goes with the frame of `find`, before faces and speech are built: a large one needs the room. */
const read = (find: (notes: Tally) => FoundParts): ReadDocument => {
  const notes = new Tally();
  const { parts, ...document } = find(notes);
  return { ...document, imported: built(parts, notes) };
};

/** What a reading gives; a refusal becomes a value. */
const attempt = <Result>(reading: () => Result): E.Either<ImportError, Result> => {
  try {
    return E.right(reading());
  } catch (error) {
    if (error instanceof ImportRefusal) return E.left(error.reason);
    throw error;
  }
};

/** Reads the bytes of a document with faces, speech or both, in any supported format. See {@link readImportFile}. */
export const readDocument = (source: Chunks, options: ReadOptions = {}): E.Either<ImportError, ReadDocument> =>
  attempt(() => read((notes) => findParts(source, options, notes)));

/** Reads the pages of one result as one document. */
export const readPages = (pages: ReadonlyArray<unknown>, format: FormatName): E.Either<ImportError, ReadDocument> =>
  attempt(() => read((notes) => readJson(pages, { format }, { from: null, notes })));

/**
 * Reads a file. Lines are streamed, JSON documents are read as a whole; gzip and a zip with one member are opened. The
 * text must be UTF-8 or UTF-16. The first error ends the reading.
 */
export const readImportFile = (
  file: string,
  options: ReadOptions = {},
  progress: Progress = () => undefined,
): E.Either<FileError, ImportedFile> =>
  E.bimap(
    (error: ImportError): FileError => ({ file, ...error }),
    (document: ReadDocument): ImportedFile => ({ file, ...document }),
  )(readDocument(fileBytes(file, progress), options));
