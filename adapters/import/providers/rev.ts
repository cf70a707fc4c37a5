import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { jsonFormat } from '../document.js';
import { refuseDuplicates, valueAt } from '../json-document.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';
import { Seconds } from '../times.js';

const Element = t.intersection([
  t.type({ type: t.keyof({ text: null, punct: null, unknown: null }, 'text, punct or unknown'), value: t.string }),
  t.partial({ ts: Seconds, end_ts: Seconds }),
]);
const Monologue = t.intersection([
  t.type({ speaker: t.Int, elements: t.readonlyArray(Element) }),
  t.partial({ speaker_info: t.partial({ display_name: t.string }) }),
]);
const Rev = t.intersection([
  t.type({ monologues: t.readonlyArray(Monologue) }),
  t.partial({ speakers: t.readonlyArray(t.intersection([t.type({ id: t.Int }), t.partial({ name: t.string })])) }),
]);
type Rev = t.TypeOf<typeof Rev>;
type Monologue = t.TypeOf<typeof Monologue>;

/** White space is an element of its own; without it, elements are joined without a space. */
const spokenOf = ({ speaker, elements }: Monologue, path: string, notes: Tally): ReadonlyArray<Spoken> => {
  const spoken: Spoken[] = [];
  const first = elements.find(({ ts }) => ts !== undefined)?.ts ?? 0;
  let spaced = true;
  for (const [index, { type, value, ts, end_ts }] of elements.entries()) {
    const last = spoken.at(-1);
    const start = ts ?? last?.end ?? first;
    if (type !== 'punct' && ts === undefined) notes.add('word without a time: placed after the previous word');
    if (value.trim() !== '')
      spoken.push({
        speaker: `speaker ${speaker}`,
        start,
        end: end_ts ?? start,
        text: value,
        glued: last !== undefined && !spaced && !/^\s/.test(value),
        place: `${path}.elements[${index}]`,
      });
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
    ...speakers.map(({ id, name = '' }): [string, string] => [`speaker ${id}`, name]),
  ]);

/** Rev AI and Rev: monologues of elements, times in seconds; a human transcript names its speakers. */
export const rev = jsonFormat(
  (json) => Array.isArray(valueAt(json, 'monologues')),
  Rev,
  (document) => {
    const { monologues, speakers = [] } = document;
    const single = refuseDuplicates(
      speakers,
      ({ id }) => id,
      (index) => `speakers[${index}].id`,
    );
    if (E.isLeft(single)) return single;
    const notes = new Tally();
    const spoken = monologues.flatMap((monologue, index) => spokenOf(monologue, `monologues[${index}]`, notes));
    const speech = { grain: 'word', spoken, names: namesOf(document) } as const;
    return E.right({ rows: monologues.length, speech, notes });
  },
);
