import * as t from 'io-ts';
import { Seconds, hasAny, jsonFormat, object, refuseDuplicates } from '../json.js';
import type { Spoken, Tally } from '../format.js';

const Element = object(
  { type: t.keyof({ text: null, punct: null, unknown: null }, 'text, punct or unknown'), value: t.string },
  { ts: Seconds, end_ts: Seconds },
);
/** The editor's elements; type 0 is text. */
const Span = object({ value: t.string }, { type: t.Int, ts: Seconds, endTs: Seconds });
const Monologue = object(
  { speaker: t.Int },
  {
    elements: t.readonlyArray(Element),
    spans: t.readonlyArray(Span),
    speaker_info: t.partial({ display_name: t.string }),
  },
);
const Speaker = object({ id: t.Int }, { name: t.string });

/** White space is an element of its own; without it, elements are joined without a space. */
const wordsOf = (
  { speaker: id, elements = [], spans = [] }: t.TypeOf<typeof Monologue>,
  place: string,
  notes: Tally,
): ReadonlyArray<Spoken> => {
  const pieces = [
    ...elements.map(({ value, ts, end_ts: end }) => ({ value, ts, end })),
    ...spans.map(({ value, ts, endTs: end }) => ({ value, ts, end })),
  ];
  const speaker = `speaker ${id}`;
  const words: Spoken[] = [];
  const first = pieces.find(({ ts }) => ts !== undefined)?.ts ?? 0;
  let spaced = true;
  for (const { value, ts, end } of pieces) {
    const last = words.at(-1);
    const start = ts ?? last?.end ?? first;
    if (ts === undefined && /[\p{L}\p{N}]/u.test(value))
      notes.add('word without a time: placed after the previous word');
    const glued = last !== undefined && !spaced && !/^\s/.test(value);
    if (value.trim() !== '') words.push({ speaker, start, end: end ?? start, text: value, glued, place });
    spaced = /\s$/.test(value);
  }
  return words;
};

/**
 * Rev AI, Rev and Rev's editor: monologues of elements, times in seconds; a human transcript names its speakers
 * (docs.rev.ai, "Transcript"; the editor's `spans` as in revdotcom/speech-datasets).
 */
export const rev = jsonFormat({
  name: 'rev',
  recognises: (json) => hasAny(json, 'monologues[].elements[]', 'monologues[].spans[]'),
  codec: object({ monologues: t.readonlyArray(Monologue) }, { speakers: t.readonlyArray(Speaker) }),
  read: ({ monologues, speakers = [] }, { notes }) => {
    refuseDuplicates('speakers', speakers, 'id', ({ id }) => id);
    const names = new Map<string, string>();
    for (const { speaker, speaker_info } of monologues)
      names.set(`speaker ${speaker}`, speaker_info?.display_name ?? '');
    for (const { id, name } of speakers) if (name !== undefined) names.set(`speaker ${id}`, name);
    const words = monologues.flatMap((monologue, index) => wordsOf(monologue, `monologues[${index}]`, notes));
    return { rows: monologues.length, words, names };
  },
});
