import { type Cue, readCues, plainText, areLabelled, spokenInCaptions, type Caption } from '../captions.js';
import { type DocumentParts, type LineFormat, type Reading, type Spoken, Tally, refuse } from '../format.js';
import { clockSeconds } from '../times.js';

const voice = /<v(?:\.[^\s<>]*)?[ \t]([^<>]*)>/;
const closing = /<\/v>/;

/** Who says what in a cue, by `<v Name>`. A voice lasts until its end tag, the next voice or the end of the cue. */
const spokenByVoice = ({ start, end, place, text }: Cue): ReadonlyArray<Spoken> => {
  // The text before the first voice, and then the name and the text of each voice in turn.
  const namesAndTexts = ['', ...text.join('\n').split(voice)];
  return namesAndTexts
    .flatMap((name, index) => {
      if (index % 2 === 1) return [];
      const [voiced = '', ...unvoiced] = (namesAndTexts[index + 1] ?? '').split(closing);
      const speaker = plainText(name) || null;
      return [
        { speaker, start, end, text: plainText(voiced), place },
        { speaker: null, start, end, text: plainText(unvoiced.join(' ')), place },
      ];
    })
    .filter((one) => one.text !== '');
};

/** The lines of cues without tags. */
const untagged = (cues: ReadonlyArray<Cue>, plain = plainText): ReadonlyArray<Cue> =>
  cues.map((cue) => ({ ...cue, text: cue.text.map(plain).filter((line) => line !== '') }));

/** Subtitles whose text may begin with who speaks. */
const spokenInSubtitles = (cues: ReadonlyArray<Cue>, inherits: boolean, reading: Reading): DocumentParts => {
  const captions = cues.map((cue) => ({ ...cue, speaker: null }));
  const utterances = spokenInCaptions(captions, { inherits, rolls: true }, reading);
  return { rows: cues.length, utterances, missing: 'no cue with text' };
};

/** Voice tags say who speaks; in a file without any, the labels before the text do. */
const readWebVtt: LineFormat['read'] = (lines, reading) => {
  const cues = readCues(lines, 'WebVTT', reading.dropped);
  if (!cues.some(({ text }) => text.some((line) => voice.test(line))))
    return spokenInSubtitles(untagged(cues), false, reading);
  const voiced = cues.map(spokenByVoice);
  reading.dropped.add('caption without text', voiced.filter((pieces) => pieces.length === 0).length);
  return { rows: cues.length, utterances: voiced.flat(), missing: 'no cue with text' };
};

const isWebVtt = (start: string): boolean => /^WEBVTT(?:\s|$)/.test(start);

/** WebVTT (w3.org/TR/webvtt1) with voice tags, `<v Ann Lee>text`, or without any speakers. */
export const webvtt: LineFormat = {
  name: 'webvtt',
  reads: 'lines',
  recognises: isWebVtt,
  read: readWebVtt,
};

/** WebVTT as Zoom writes it: `Ann Lee: text` in each cue (support.zoom.com, "audio transcript"). */
export const zoomVtt: LineFormat = {
  name: 'zoom_vtt',
  reads: 'lines',
  recognises: (start) => {
    if (!isWebVtt(start) || voice.test(start)) return false;
    // The start may end within the times of a cue.
    const whole = start.slice(0, start.lastIndexOf('\n\n') + 1);
    const cues = readCues(whole.split('\n'), 'WebVTT', new Tally());
    return areLabelled(untagged(cues));
  },
  read: readWebVtt,
};

/** Positions of Advanced SubStation, which players accept in SubRip: `{\an8}`. Other braces are text. */
const position = /\{\\[^{}]*\}/g;

/**
 * SubRip (no standard): numbers, times as `00:00:01,000 --> 00:00:02,500`, text with names before it; by convention a cue
 * without a name belongs to the previous speaker.
 */
export const srt: LineFormat = {
  name: 'srt',
  reads: 'lines',
  recognises: (start) => /^(?:\d+[ \t]*\n\s*)?[\d:]+(?:[.,]\d+)?\s*-->/.test(start),
  read: (lines, reading) => {
    const cues = readCues(lines, 'SubRip', reading.dropped);
    return spokenInSubtitles(
      untagged(cues, (text) => plainText(text.replaceAll(position, ''))),
      true,
      reading,
    );
  },
};

const times = /^\s*(\d+:\d\d:\d\d[.]\d{1,3}),(\d+:\d\d:\d\d[.]\d{1,3})\s*$/;

/** The lines of SubRip that say the same. */
function* asSubRip(lines: Iterable<string>): Generator<string> {
  for (const line of lines) yield line.replace(times, '$1 --> $2');
}

/** YouTube's SBV: `0:00:01.000,0:00:02.400`, then the text, with labels as in SubRip (SubtitleEdit, `YouTubeSbv.cs`). */
export const sbv: LineFormat = {
  name: 'sbv',
  reads: 'lines',
  recognises: (start) => times.test(start.split('\n', 1)[0] ?? ''),
  read: (lines, reading) => {
    const cues = readCues(asSubRip(lines), 'SubRip', reading.dropped);
    const broken = cues.map((cue) => ({ ...cue, text: cue.text.flatMap((line) => line.split('[br]')) }));
    return spokenInSubtitles(untagged(broken), true, reading);
  },
};

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

const readEvents = (lines: Iterable<string>, { dropped }: Reading): ReadonlyArray<Caption> => {
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
  read: (lines, reading) => {
    const captions = readEvents(lines, reading);
    const utterances = spokenInCaptions(captions, { inherits: false, rolls: true }, reading);
    return { rows: captions.length, utterances, missing: 'no Dialogue line with text' };
  },
};
