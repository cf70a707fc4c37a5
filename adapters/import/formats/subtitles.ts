import { type Cue, readCues, plainText, areLabelled, spokenInCaptions, type Caption } from '../captions.js';
import {
  type DocumentParts,
  type LineFormat,
  type Reading,
  type Spoken,
  Tally,
  refuse,
  type XmlElement,
  type XmlFormat,
  withEnds,
  gluedBySpaces,
} from '../format.js';
import { clockSeconds, faultOfSeconds, toMicrosecond, Milliseconds } from '../times.js';
import { elementsIn, textIn } from '../xml.js';
import * as t from 'io-ts';
import { has, jsonFormat, object, valueAt } from '../json-format.js';

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

/** Frames and ticks a second. */
interface Rates {
  readonly frames: number;
  readonly ticks: number;
}

const ratesOf = ({ attributes }: XmlElement): Rates => {
  const { frameRate, frameRateMultiplier = '1 1', subFrameRate = '1', tickRate } = attributes;
  const [times = 1, by = 1] = frameRateMultiplier.split(/[\s:]+/).map(Number);
  const frames = (Number(frameRate ?? 30) * times) / by;
  const ticks = Number(tickRate ?? (frameRate === undefined ? 1 : frames * Number(subFrameRate)));
  return frames > 0 && ticks > 0 ? { frames, ticks } : refuse('tt', 'frameRate and tickRate must be above 0');
};

const clock = /^(\d+):(\d\d):(\d\d(?:[.,]\d+)?)(?::(\d+(?:\.\d+)?))?$/;
const offset = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)$/;

/** Seconds of `00:00:01.5`, `00:00:01:12` (frames), `1.5s`, `1500ms`, `36f` and `15t`; undefined for other texts. */
const secondsOf = (text: string | undefined, { frames, ticks }: Rates): number | undefined => {
  if (text === undefined) return undefined;
  const [, amount = '', unit = ''] = offset.exec(text.trim()) ?? [];
  const length: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1 / 1000, f: 1 / frames, t: 1 / ticks };
  const [whole, hours, minutes, seconds, frame = '0'] = clock.exec(text.trim()) ?? [];
  if (unit === '' && whole === undefined) return undefined;
  const value =
    unit === ''
      ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds?.replace(',', '.')) + Number(frame) / frames
      : Number(amount) * (length[unit] ?? 1);
  const fault = faultOfSeconds(value);
  return fault === null ? value : refuse(text, `time ${fault}`);
};

/** When an element is shown, as far as it or an element around it says; `from`: what its times count from. */
interface Span {
  readonly from: number;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** A caption whose text is not complete; line breaks separate its lines. */
interface Open extends Omit<Span, 'from'> {
  readonly agent: string | undefined;
  text: string;
}

const spanOf = ({ attributes }: XmlElement, { from, ...outer }: Span, rates: Rates): Span => {
  const [begin, end, dur] = ['begin', 'end', 'dur'].map((name) => secondsOf(attributes[name], rates));
  const start = begin === undefined ? outer.start : from + begin;
  const ends = [
    outer.end,
    end === undefined ? undefined : from + end,
    dur === undefined ? undefined : (start ?? from) + dur,
  ];
  const last = Math.min(...ends.map((one) => one ?? Infinity));
  return { from: start ?? from, start, end: last === Infinity ? undefined : last };
};

/** Metadata and animation. */
const notShown = new Set(['metadata', 'title', 'desc', 'copyright', 'agent', 'set', 'animate']);

/** The captions in the body: paragraphs, and spans that have times or agents of their own. */
const captionsIn = (body: XmlElement, rates: Rates, dropped: Tally): ReadonlyArray<Open> => {
  const captions: Open[] = [];
  const visit = (element: XmlElement, outer: Span, agent: string | undefined, around: Open | null): Span => {
    const { name, attributes } = element;
    const own = spanOf(element, outer, rates);
    const speaker = attributes['agent'] ?? agent;
    const isTimed = ['begin', 'end', 'dur', 'agent'].some((key) => attributes[key] !== undefined);
    const opens = name === 'p' || (name === 'span' && isTimed);
    const caption = opens ? { start: own.start, end: own.end, agent: speaker, text: '' } : around;
    if (opens && caption !== null) captions.push(caption);
    let next = own;
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (caption !== null) caption.text += child.replaceAll(/\s+/g, ' ');
        else if (child.trim() !== '') dropped.add('text outside paragraphs');
      } else if (child.name === 'br') {
        if (caption !== null) caption.text += '\n';
      } else if (child.attributes['ruby'] === 'text') dropped.add('ruby text');
      else if (!notShown.has(child.name)) {
        const shown = visit(child, next, speaker, caption);
        if (attributes['timeContainer'] === 'seq') next = { ...own, from: shown.end ?? shown.from };
      }
    }
    return own;
  };
  visit(body, { from: 0 }, undefined, null);
  return captions;
};

/** The names of the agents; an agent without a name is its id. */
const agentsOf = (root: XmlElement): ReadonlyMap<string, string> =>
  new Map(
    elementsIn(root, 'agent').map((agent) => {
      const names = elementsIn(agent, 'name');
      const name = names.find(({ attributes }) => attributes['type'] === 'full') ?? names[0];
      const id = agent.attributes['id'] ?? '';
      return [id, (name === undefined ? '' : textIn(name).trim()) || id];
    }),
  );

/**
 * TTML, the W3C's Timed Text Markup Language 1 and 2, with its profiles IMSC, EBU-TT-D and DFXP: captions in paragraphs,
 * whose agents are the speakers. Times are clock times, frames, ticks and offsets (w3.org/TR/ttml2, "Timing").
 */
export const ttml: XmlFormat = {
  name: 'ttml',
  reads: 'xml',
  recognises: ({ name }) => name === 'tt',
  read: (root, reading) => {
    const { dropped, notes } = reading;
    const rates = ratesOf(root);
    const agents = agentsOf(root);
    const given = elementsIn(root, 'body')
      .flatMap((body) => captionsIn(body, rates, dropped))
      .filter(({ text }) => text.trim() !== '');
    const timed = given.flatMap(({ start, ...rest }) =>
      start === undefined && rest.end === undefined ? [] : [{ ...rest, start: toMicrosecond(start ?? 0) }],
    );
    dropped.add('paragraph without times', given.length - timed.length);
    const captions = withEnds(timed.toSorted((a, b) => a.start - b.start)).map((one): Caption => {
      const ids = one.agent?.trim().split(/\s+/) ?? [];
      if (ids.length > 1) notes.add('caption of several agents: its speaker is the first one');
      const [id = ''] = ids;
      const text = one.text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
      return {
        start: one.start,
        end: toMicrosecond(one.end),
        speaker: (agents.get(id) ?? id) || null,
        place: null,
        text: text.filter((line) => line !== ''),
      };
    });
    const utterances = spokenInCaptions(captions, { inherits: false, rolls: true }, reading);
    return { rows: given.length, utterances, missing: 'no paragraph with text and times' };
  },
};

const Segment = object({ utf8: t.string }, { tOffsetMs: Milliseconds });
const Event = object({ tStartMs: Milliseconds }, { dDurationMs: Milliseconds, segs: t.readonlyArray(Segment) });
const Events = t.readonlyArray(Event);

const sound = /^\s*\[[^\]]*\]\s*$/;

/** The segments with text. A segment lasts until its event ends, or the next segment begins. */
const piecesOf = (events: t.TypeOf<typeof Events>, dropped: Tally) => {
  const pieces = events.flatMap(({ tStartMs, dDurationMs, segs = [] }, index) => {
    const end = dDurationMs === undefined ? undefined : toMicrosecond(tStartMs + dDurationMs);
    return gluedBySpaces(segs.map(({ utf8: text, ...rest }) => ({ text, ...rest }))).flatMap((segment, at) => {
      const { text, glued, tOffsetMs = 0 } = segment;
      const isSound = sound.test(text);
      if (isSound) dropped.add('sound, such as [Music]');
      if (isSound || text.trim() === '') return [];
      const start = toMicrosecond(tStartMs + tOffsetMs);
      return [{ speaker: null, start, end, text, glued, place: `events[${index}].segs[${at}]` }];
    });
  });
  const sorted = pieces.toSorted((a, b) => a.start - b.start);
  return withEnds(sorted).map((piece, index) => {
    const next = sorted[index + 1]?.start ?? Infinity;
    return { ...piece, end: piece.end > next && next > piece.start ? next : piece.end };
  });
};

/**
 * YouTube's captions as `fmt=json3`: events on the screen, whose segments are words if they have offsets, in
 * milliseconds (yt-dlp/yt-dlp#1734). Events last until they leave the screen, beyond the start of the next one.
 */
export const youtubeJson3 = jsonFormat({
  name: 'youtube_json3',
  recognises: (json) => valueAt(json, 'wireMagic') === 'pb3' || has(json, 'events[].tStartMs'),
  codec: t.type({ events: Events }),
  read: ({ events }, reading) => {
    const pieces = piecesOf(events, reading.dropped);
    const shared = { rows: events.length, missing: 'no event with text' };
    if (events.some(({ segs = [] }) => segs.some(({ tOffsetMs }) => tOffsetMs !== undefined)))
      return { ...shared, words: pieces };
    const captions = pieces.map((one) => ({ ...one, text: one.text.split('\n').map((line) => line.trim()) }));
    return { ...shared, utterances: spokenInCaptions(captions, { inherits: false, rolls: true }, reading) };
  },
});
