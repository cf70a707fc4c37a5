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
import { formats } from './all-formats.js';
import { parseDocument } from './parse-json.js';
import { whileHeapMayGrow } from '../runtime/memory.js';
import { type Chunks, openBytes, fileBytes, linesIn, type Progress, refuseSize, textBlocks } from './text.js';
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
    if (length > maxBytes) refuseSize('the document is longer than', maxBytes);
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
interface FoundParts extends Omit<ReadDocument, 'imported'> {
  readonly parts: DocumentParts;
}

const findParts = (source: Chunks, reading: Reading & ReadOptions): FoundParts => {
  const { maxBytes = defaultMaxBytes, format: wanted, notes } = reading;
  const opened = openBytes(source, maxBytes);
  const { start, blocks } = textOf(opened.chunks, maxBytes);
  if (start === '') return refuse(null, 'the file is empty');
  const known = formats.filter(({ name }) => wanted === undefined || name === wanted);
  /** The format that recognises a document. One that users name is taken without that: a variant of it, or else its first. */
  const formatFor = <Known extends Format>(
    candidates: ReadonlyArray<Known>,
    recognises: (one: Known) => boolean,
  ): Known =>
    candidates.find(recognises) ??
    (wanted === undefined ? undefined : candidates[0]) ??
    // What was read as null may be what is missing.
    refuse(
      null,
      [
        opened.from,
        notes
          .notes()
          .map(({ what }) => what)
          .join(', '),
        formatNotRecognised.message,
      ]
        .filter(Boolean)
        .join(': '),
    );
  const json = known.filter((one) => one.reads === 'json');
  const xml = known.filter((one) => one.reads === 'xml');
  const lines = known.filter((one) => one.reads === 'lines');
  if (json.length > 0 && (looksLikeJson(start) || json.length === known.length)) {
    const document = jsonIn(blocks, maxBytes, notes);
    const format = formatFor(json, ({ recognises }) => recognises(document));
    const pages = format.paged === true ? { pages: Array.isArray(document) ? document : [document] } : {};
    return { format: format.name, parts: format.read(document, reading), ...pages };
  }
  if (xml.length > 0 && (looksLikeXml(start) || xml.length === known.length)) {
    const root = parseXml(wholeText(blocks, Math.min(maxBytes, maxXmlBytes)));
    const format = formatFor(xml, ({ recognises }) => recognises(root));
    return { format: format.name, parts: format.read(root, reading) };
  }
  const format = formatFor(lines, ({ recognises }) => recognises(start));
  // Of lines, which are streamed, no document stays in memory.
  return { format: format.name, parts: whileHeapMayGrow(() => format.read(linesOf(blocks), reading)) };
};

/** Reads the bytes of a document with faces, speech or both, in any supported format. See {@link readImportFile}. */
export const readDocument = (source: Chunks, options: ReadOptions = {}): E.Either<ImportError, ReadDocument> => {
  const reading = { ...options, dropped: new Tally(), notes: new Tally() };
  try {
    // The parsed document goes with that call, before faces and speech are built: a large one needs the room.
    const { parts, ...document } = findParts(source, reading);
    return E.right({ ...document, imported: built(parts, reading) });
  } catch (error) {
    if (error instanceof ImportRefusal) return E.left(error.reason);
    throw error;
  }
};

/**
 * Reads a file. Lines are streamed, JSON documents are read as a whole; gzip and a zip with one member are opened. The
 * text must be UTF-8 or UTF-16. The first error ends the reading.
 */
export const readImportFile = (
  file: string,
  options: ReadOptions = {},
  progress: Progress = () => undefined,
): E.Either<ImportError, ReadDocument> => readDocument(fileBytes(file, progress), options);
