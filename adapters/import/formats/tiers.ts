import { type LineFormat, type Spoken, type Tally, type XmlElement, type XmlFormat, refuse } from '../format.js';
import { numberAt, secondsAt } from '../times.js';
import { elementsIn, textIn } from '../xml.js';

/** The times of the slots that have one, in seconds. */
const slotsOf = (root: XmlElement): ReadonlyMap<string, number> =>
  new Map(
    elementsIn(root, 'TIME_SLOT').flatMap(({ attributes }): [string, number][] => {
      const { TIME_SLOT_ID: id = '', TIME_VALUE: value } = attributes;
      if (value === undefined) return [];
      const place = `TIME_SLOT ${id}`;
      return [[id, secondsAt(place, 'TIME_VALUE', numberAt(place, 'TIME_VALUE', value) / 1000)]];
    }),
  );

/** The annotations of a tier whose both ends have a time. */
const spokenIn = (tier: XmlElement, slots: ReadonlyMap<string, number>, dropped: Tally): ReadonlyArray<Spoken> => {
  const { TIER_ID: id = '', PARTICIPANT: participant = '' } = tier.attributes;
  return elementsIn(tier, 'ALIGNABLE_ANNOTATION').flatMap((annotation) => {
    const { ANNOTATION_ID: place = '', TIME_SLOT_REF1: from = '', TIME_SLOT_REF2: to = '' } = annotation.attributes;
    const [start, end] = [slots.get(from), slots.get(to)];
    if (start === undefined || end === undefined) {
      dropped.add('annotation between times: its time is not told');
      return [];
    }
    return [{ speaker: participant.trim() || id, start, end, text: textIn(annotation), place: `annotation ${place}` }];
  });
};

/**
 * ELAN's annotation format (EAF 3.0 of the Max Planck Institute for Psycholinguistics): a tier is a speaker, by its
 * participant or its id; times in milliseconds. Tiers that refer to other tiers, such as translations, are left out.
 */
export const elan: XmlFormat = {
  name: 'elan',
  reads: 'xml',
  recognises: ({ name }) => name === 'ANNOTATION_DOCUMENT',
  read: (root, { dropped }) => {
    const slots = slotsOf(root);
    const tiers = elementsIn(root, 'TIER');
    const main = tiers.filter(({ attributes }) => attributes['PARENT_REF'] === undefined);
    dropped.add('tier that refers to another one, such as a translation', tiers.length - main.length);
    const utterances = main.flatMap((tier) => spokenIn(tier, slots, dropped));
    return { rows: utterances.length, utterances, missing: 'no annotation with times' };
  },
};

const header = /^File type = "ooTextFile(?: short)?"\s*(?:Object class = )?"TextGrid(?: \d+)?"/;

interface Value {
  readonly line: number;
  readonly value: string | number;
}

/** Praat reads texts, flags and numbers that stand alone; everything else, such as `xmin =` and `item [1]:`, is ignored. */
const tokens = /"((?:[^"]|"")*)"|(?<!\S)(?:(<\w+>|-?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?!\S)|!.*)/g;

const valuesIn = (text: string): ReadonlyArray<Value> => {
  const values: Value[] = [];
  let [line, counted] = [1, 0];
  for (const { 1: quoted, 2: alone, index } of text.matchAll(tokens)) {
    line += text.slice(counted, index).split('\n').length - 1;
    counted = index;
    if (quoted !== undefined) values.push({ line, value: quoted.replaceAll('""', '"') });
    else if (alone !== undefined) values.push({ line, value: alone.startsWith('<') ? alone : Number(alone) });
  }
  return values;
};

/** Takes the values one after the other. */
const readerOf = (values: ReadonlyArray<Value>) => {
  let at = 0;
  const line = (): number => values[at]?.line ?? 0;
  const next = (): string | number => {
    const { value } = values[at] ?? refuse(null, 'the TextGrid is incomplete; the file seems to be truncated');
    at += 1;
    return value;
  };
  const text = (): string => {
    const [place, value] = [line(), next()];
    return typeof value === 'string' ? value : refuse(place, `${value} stands where a text in quotation marks belongs`);
  };
  const number = (): number => {
    const [place, value] = [line(), next()];
    return typeof value === 'number' ? value : refuse(place, `${JSON.stringify(value)} stands where a number belongs`);
  };
  return {
    text,
    number,
    seconds: () => secondsAt(line(), 'time', number()),
    line,
    /** How many values are left. */
    rest: () => values.length - at,
  };
};

/** The intervals of a tier that have a text. */
const readTier = (reader: ReturnType<typeof readerOf>, dropped: Tally): ReadonlyArray<Spoken> => {
  const isIntervals = reader.text() === 'IntervalTier';
  const speaker = reader.text();
  reader.number();
  reader.number();
  const spoken: Spoken[] = [];
  for (let count = reader.number(); count > 0; count -= 1) {
    const place = reader.line();
    const start = isIntervals ? reader.seconds() : reader.number();
    const end = isIntervals ? reader.seconds() : start;
    const text = reader.text().replaceAll(/\s+/g, ' ').trim();
    if (text !== '') spoken.push({ speaker, start, end, text, place });
  }
  if (isIntervals) return spoken;
  dropped.add('tier of points');
  return [];
};

/**
 * Praat's TextGrid, long or short: a tier of intervals is a speaker, and an interval without text is silence (Praat's
 * manual, "TextGrid file formats").
 */
export const praatTextGrid: LineFormat = {
  name: 'praat_textgrid',
  reads: 'lines',
  recognises: (start) => header.test(start),
  read: (lines, { dropped }) => {
    const reader = readerOf(valuesIn([...lines].join('\n')));
    reader.text();
    reader.text();
    reader.number();
    reader.number();
    const utterances: Spoken[] = [];
    for (let tiers = reader.text() === '<exists>' ? reader.number() : 0; tiers > 0; tiers -= 1)
      utterances.push(...readTier(reader, dropped));
    dropped.add('value after the last tier', reader.rest());
    return { rows: utterances.length, utterances, missing: 'no interval with text' };
  },
};
