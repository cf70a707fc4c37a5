import { type Caption, spokenInCaptions } from '../captions.js';
import { clockSeconds } from '../codecs.js';
import type { LineFormat } from '../format.js';
import { refuse } from '../imported.js';
import { Tally } from '../tally.js';

/** Overrides are in braces with a backslash; other braces are text. */
const braces = /(\{[^{}]*\})/;
/** What follows `{\p1}` is drawn, until `{\p0}`. */
const drawing = /\\p(\d)/g;
const space = /\\h/g;
const lineBreak = /\\n/i;

const withoutOverrides = (text: string, dropped: Tally): string => {
  let isDrawn = false;
  return text
    .split(braces)
    .filter((part, index) => {
      if (index % 2 === 1 && part.includes('\\')) {
        const mode = [...part.matchAll(drawing)].at(-1)?.[1];
        if (mode !== undefined) isDrawn = mode !== '0';
        return false;
      }
      if (isDrawn && part.trim() !== '') dropped.add('drawing');
      return !isDrawn;
    })
    .join('');
};

const linesIn = (text: string, dropped: Tally): ReadonlyArray<string> =>
  withoutOverrides(text, dropped)
    .replaceAll(space, ' ')
    .split(lineBreak)
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');

/** The cells of an event, by the names of the columns. The last column is the text, which may have commas. */
const cellsOf = (event: string, columns: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const cells = event.split(',');
  const last = columns.length - 1;
  return new Map(
    columns.map((name, at) => [name, (at === last ? cells.slice(at).join(',') : (cells[at] ?? '')).trim()]),
  );
};

const readEvents = (lines: Iterable<string>, dropped: Tally): ReadonlyArray<Caption> => {
  const captions: Caption[] = [];
  let columns: ReadonlyArray<string> = [];
  let [section, line] = ['', 0];
  for (const whole of lines) {
    line += 1;
    const [, title] = /^\s*\[(.*)\]\s*$/.exec(whole) ?? [];
    if (title !== undefined) section = title.toLowerCase();
    const [, kind = '', rest = ''] = /^\s*(\w+):(.*)$/.exec(whole) ?? [];
    if (title !== undefined || (section !== 'events' && kind !== 'Dialogue') || /^\s*(?:;|$)/.test(whole)) continue;
    if (kind === '') dropped.add('line that is no event');
    else if (kind === 'Format') columns = rest.split(',').map((name) => name.trim().toLowerCase());
    else if (kind !== 'Dialogue') dropped.add(`${kind} line`);
    else {
      if (columns.at(-1) !== 'text') refuse(line, 'no Format line whose last column is Text comes before the dialogue');
      const cells = cellsOf(rest, columns);
      const [start, end] = [clockSeconds(cells.get('start') ?? ''), clockSeconds(cells.get('end') ?? '')];
      const speaker = (cells.get('name') ?? cells.get('actor') ?? '') || null;
      if (start === null || end === null) dropped.add('Dialogue line without valid times');
      else captions.push({ start, end, speaker, place: line, text: linesIn(cells.get('text') ?? '', dropped) });
    }
  }
  return captions;
};

/**
 * (Advanced) SubStation Alpha, ASS and SSA: a `Dialogue:` line for each caption, whose columns a `Format:` line names;
 * the column Name, or Actor, has the speaker (TypesettingTools/Aegisub, "ASS File Format Specification").
 */
export const ass: LineFormat = {
  name: 'ass',
  reads: 'lines',
  recognises: (start) => /^\[(?:Script Info|Events)\]\s*$/im.test(start.slice(0, 1000)),
  read: (lines) => {
    const [dropped, notes] = [new Tally(), new Tally()];
    const captions = readEvents(lines, dropped);
    const spoken = spokenInCaptions(captions, { inherits: false, rolls: true }, dropped, notes);
    return {
      rows: captions.length,
      speech: { grain: 'utterance', spoken, missing: 'no Dialogue line with text' },
      dropped,
      notes,
    };
  },
};
