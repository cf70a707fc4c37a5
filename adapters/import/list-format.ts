import * as t from 'io-ts';
import { type DocumentParts, type JsonFormat, type Tally, gluedBySpaces, withEnds } from './format.js';
import { decodeDocument, hasAny, listAt, refuseDuplicates, refuseUnfinished, valueAt } from './json.js';

/** A piece of speech. Without an end it lasts until the next one. */
interface Piece {
  readonly speaker: string | null;
  readonly channel?: number | undefined;
  readonly start: number;
  readonly end?: number | undefined;
  /** Turns have none. */
  readonly text?: string;
  readonly glued?: boolean;
  /** The name of the speaker, if it is not the label. */
  readonly name?: string | undefined;
}

/** A format whose documents are one list of pieces of speech: what differs from the others. */
interface ListFormat<Element> extends Pick<JsonFormat, 'name'>, Pick<DocumentParts, 'roles' | 'missing'> {
  /** The path of the list. If the format says what is missing, the list may be. */
  readonly list: string;
  /** What a document is recognised by, if not by the list. */
  readonly own?: ReadonlyArray<string>;
  readonly element: t.Type<Element, unknown>;
  readonly pieces: 'words' | 'utterances' | 'turns';
  /** What an element says; nothing of one that is left out and counted. */
  readonly read: (element: Element, dropped: Tally, place: string) => Piece | ReadonlyArray<Piece>;
  /** What the document calls the recording. */
  readonly recording?: (json: unknown) => unknown;
  /** The field that says whether the job has ended, and what stands there then. */
  readonly done?: readonly [field: string, ...values: string[]];
  /** A list, and the field of its elements in which no value occurs twice. */
  readonly unique?: readonly [list: string, field: string];
  /** Texts have their own spaces: one without is the rest of a word. */
  readonly areParts?: true;
}

const isList = (read: Piece | ReadonlyArray<Piece>): read is ReadonlyArray<Piece> => Array.isArray(read);

const at = (json: unknown, path: string): unknown => (path === '' ? json : valueAt(json, ...path.split('.')));

/** A JSON format whose documents are one list. */
export const listFormat = <Element>(format: ListFormat<Element>): JsonFormat => ({
  name: format.name,
  reads: 'json',
  recognises: (json) => hasAny(json, ...(format.own ?? [`${format.list}[]`])),
  read: (json, { dropped }) => {
    if (format.done !== undefined) refuseUnfinished(json, ...format.done);
    if (format.unique !== undefined) {
      const [list, field] = format.unique;
      refuseDuplicates(list, listAt(json, ...list.split('.')), field, (one) => valueAt(one, field));
    }
    const given = at(json, format.list) ?? (format.missing === undefined ? undefined : []);
    const elements = decodeDocument(t.readonlyArray(format.element), given, format.list);
    const read = elements.flatMap((element, index) => {
      const place = `${format.list}[${index}]`;
      const pieces = format.read(element, dropped, place);
      return (isList(pieces) ? pieces : [pieces]).map((piece) => ({ text: '', ...piece, place }));
    });
    const pieces = withEnds(format.areParts === true ? gluedBySpaces(read) : read);
    const names = pieces.flatMap(({ speaker, name }) => (speaker === null || !name ? [] : [[speaker, name] as const]));
    const recording = format.recording?.(json);
    return {
      recording: typeof recording === 'string' ? recording : null,
      rows: elements.length,
      [format.pieces]: pieces,
      names: new Map(names),
      ...(format.roles === undefined ? {} : { roles: format.roles }),
      ...(format.missing === undefined ? {} : { missing: format.missing }),
    };
  },
});
