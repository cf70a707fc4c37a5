import * as t from 'io-ts';
import { Seconds, decodeDocument, listAt, refuseDuplicates, valueAt } from '../json.js';
import { type JsonFormat, type Spoken, Tally } from '../format.js';

const Element = t.intersection([
  t.type({ type: t.keyof({ text: null, punct: null, unknown: null }, 'text, punct or unknown'), value: t.string }),
  t.partial({ ts: Seconds, end_ts: Seconds }),
]);
/** The editor's elements; type 0 is text. */
const Span = t.intersection([t.type({ value: t.string }), t.partial({ type: t.Int, ts: Seconds, endTs: Seconds })]);
const Monologue = t.intersection([
  t.type({ speaker: t.Int }),
  t.partial({
    elements: t.readonlyArray(Element),
    spans: t.readonlyArray(Span),
    speaker_info: t.partial({ display_name: t.string }),
  }),
]);
const Rev = t.intersection([
  t.type({ monologues: t.readonlyArray(Monologue) }),
  t.partial({ speakers: t.readonlyArray(t.intersection([t.type({ id: t.Int }), t.partial({ name: t.string })])) }),
]);
type Rev = t.TypeOf<typeof Rev>;

/** An element in either form. */
interface Piece {
  readonly value: string;
  readonly ts?: number | undefined;
  readonly end?: number | undefined;
}

const piecesOf = ({ elements = [], spans = [] }: t.TypeOf<typeof Monologue>): ReadonlyArray<Piece> => [
  ...elements.map(({ value, ts, end_ts: end }) => ({ value, ts, end })),
  ...spans.map(({ value, ts, endTs: end }) => ({ value, ts, end })),
];

/** White space is an element of its own; without it, elements are joined without a space. */
const spokenOf = (monologue: t.TypeOf<typeof Monologue>, place: string, notes: Tally): ReadonlyArray<Spoken> => {
  const speaker = `speaker ${monologue.speaker}`;
  const pieces = piecesOf(monologue);
  const spoken: Spoken[] = [];
  const first = pieces.find(({ ts }) => ts !== undefined)?.ts ?? 0;
  let spaced = true;
  for (const { value, ts, end } of pieces) {
    const last = spoken.at(-1);
    const start = ts ?? last?.end ?? first;
    if (ts === undefined && /[\p{L}\p{N}]/u.test(value))
      notes.add('word without a time: placed after the previous word');
    const glued = last !== undefined && !spaced && !/^\s/.test(value);
    if (value.trim() !== '') spoken.push({ speaker, start, end: end ?? start, text: value, glued, place });
    spaced = /\s$/.test(value);
  }
  return spoken;
};

const namesOf = ({ monologues, speakers = [] }: Rev): ReadonlyMap<string, string> =>
  new Map([
    ...monologues.map(({ speaker, speaker_info }): [string, string] => [
      `speaker ${speaker}`,
      speaker_info?.display_name ?? '',
    ]),
    ...speakers.flatMap(({ id, name }): [string, string][] => (name === undefined ? [] : [[`speaker ${id}`, name]])),
  ]);

/**
 * Rev AI, Rev and Rev's editor: monologues of elements, times in seconds; a human transcript names its speakers
 * (docs.rev.ai, "Transcript"; the editor's `spans` as in revdotcom/speech-datasets).
 */
export const rev: JsonFormat = {
  name: 'rev',
  reads: 'json',
  recognises: (json) =>
    listAt(json, 'monologues').some(
      (monologue) => Array.isArray(valueAt(monologue, 'elements')) || Array.isArray(valueAt(monologue, 'spans')),
    ),
  read: (json) => {
    const document = decodeDocument(Rev, json);
    refuseDuplicates(
      document.speakers ?? [],
      ({ id }) => id,
      (index) => `speakers[${index}].id`,
    );
    const notes = new Tally();
    const spoken = document.monologues.flatMap((monologue, index) =>
      spokenOf(monologue, `monologues[${index}]`, notes),
    );
    const speech = { grain: 'word', spoken, names: namesOf(document) } as const;
    return { rows: document.monologues.length, speech, notes };
  },
};
