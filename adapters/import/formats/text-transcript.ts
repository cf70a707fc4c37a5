import { type Caption, spokenInCaptions } from '../captions.js';
import { clockSeconds } from '../times.js';
import { type LineFormat, type XmlElement, type XmlFormat, withEnds, Tally } from '../format.js';
import { elementsIn, textIn } from '../xml.js';

const clock = String.raw`\d+:\d{1,2}(?::\d{1,2})?(?:[.,]\d+)?`;
/** A time, or two with an arrow or dash between them. */
const times = String.raw`(?<from>${clock})(?:\s*(?:-->|[-–—])\s*(?<to>${clock}))?`;

interface Style {
  /** A line with which somebody begins to speak. */
  readonly head: RegExp;
  /** Who speaks after a head without a name; `label`: the text may begin with one. */
  readonly nameless: 'nobody' | 'same' | 'label';
}

const styles: ReadonlyArray<Style> = [
  // Otter and Teams: `Ann Quill  0:01`, then the text. Times with an arrow and without a name are subtitles.
  {
    head: new RegExp(String.raw`^(?![\d:.,]+\s*-->)(?:(?<name>\S.{0,99}?)(?:\s{2,}|\t))?${times}$`),
    nameless: 'nobody',
  },
  // Rev: `Ann Quill (00:00:01):`, then the text, and `(00:01:21):` where the same person goes on.
  {
    head: new RegExp(String.raw`^(?:(?<name>\S.{0,99}?)\s*)?[([]${times}[)\]]\s*(?:$|:\s*(?<text>.*)$)`),
    nameless: 'same',
  },
  { head: new RegExp(String.raw`^[([]${times}[)\]]\s*(?<text>\S.*)$`), nameless: 'label' },
];

/** Who begins to speak in a line, and when; null for a line that says nothing of it. */
const headIn = ({ head }: Style, line: string) => {
  const { name, from = '', to = '', text = '' } = head.exec(line)?.groups ?? {};
  const start = clockSeconds(from);
  return start === null
    ? null
    : { name: name?.replace(/\s*[:：]$/, ''), start, end: clockSeconds(to) ?? undefined, text };
};

/** The style in which most of the lines are heads. */
const styleOf = (lines: ReadonlyArray<string>): Style | undefined => {
  const counts = styles.map((style) => lines.filter((line) => headIn(style, line) !== null).length);
  const most = Math.max(...counts);
  return most === 0 ? undefined : styles[counts.indexOf(most)];
};

/** What tools write of themselves. */
const ofTheTool = /^Transcribed by https?:\/\/\S+$|\S (?:started|stopped) transcription$/;

/** How long the meeting lasted, as Teams writes it before the first speaker: `1h 2m 9s`. */
const duration = /^(?:(\d+)h )?(?:(\d+)m )?(\d+)s$/;

const durationIn = (line: string): number | null => {
  const [whole, hours = '0', minutes = '0', seconds = ''] = duration.exec(line) ?? [];
  return whole === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
};

interface Open extends Omit<Caption, 'end' | 'text'> {
  readonly end: number | undefined;
  readonly text: string[];
}

/** The captions; how long the meeting lasted, if it is told; whether a caption without a speaker is of the previous one. */
const find = (lines: ReadonlyArray<string>, dropped: Tally) => {
  const captions: Open[] = [];
  const style = styleOf(lines);
  let lasts: number | null = null;
  for (const [index, line] of lines.entries()) {
    const last = captions.at(-1);
    const head = style === undefined ? null : headIn(style, line);
    if (line === '') continue;
    if (head !== null) {
      const { name, start, end, text } = head;
      const same = style?.nameless === 'same' ? (last?.speaker ?? null) : null;
      captions.push({ speaker: name ?? same, start, end, text: text === '' ? [] : [text], place: index + 1 });
    } else if (ofTheTool.test(line)) dropped.add('line of the tool, which is not spoken');
    else if (last === undefined) {
      lasts ??= durationIn(line);
      dropped.add('line before the first speaker');
    } else last.text.push(line);
  }
  return { captions, lasts, inherits: style?.nameless === 'label' };
};

const trimmed = (lines: Iterable<string>): ReadonlyArray<string> => Array.from(lines, (line) => line.trim());

/** Reads the lines of a transcript in which times tell when somebody begins to speak. */
const readTranscript: LineFormat['read'] = (given, reading) => {
  const { captions, lasts, inherits } = find(trimmed(given), reading.dropped);
  const utterances = spokenInCaptions(withEnds(captions, lasts), { inherits, rolls: false }, reading);
  return { rows: captions.length, utterances, missing: 'no text after a time' };
};

/** Whether lines have times with which somebody begins to speak, and text after at least half of them. */
const holdsTranscript = (lines: Iterable<string>, least = 1): boolean => {
  const { captions } = find(trimmed(lines), new Tally());
  const spoken = captions.filter(({ text }) => text.length > 0).length;
  return spoken > 0 && spoken * 2 >= captions.length && captions.length >= least;
};

/**
 * Transcripts in plain text, with names and the times at which they begin to speak: as Otter writes them (SubtitleEdit,
 * `OtterAi.cs`), as Rev does (ChatPRD/lennys-podcast-transcripts), and with time stamps before lines.
 */
export const textTranscript: LineFormat = {
  name: 'text_transcript',
  reads: 'lines',
  // A single time may stand in any text, but not in its first line with a text after it.
  recognises: (start) => holdsTranscript(start.split('\n', 2)) || holdsTranscript(start.split('\n'), 2),
  read: readTranscript,
};

const breaks: Readonly<Record<string, string>> = { br: '\n', cr: '\n', tab: '\t' };

/** The text of the runs in a paragraph. */
const textOf = ({ name, children }: XmlElement): string =>
  children
    .map((child) => {
      if (typeof child === 'string' || child.name === 'p') return '';
      if (name !== 'r') return textOf(child);
      return child.name === 't' ? textIn(child) : (breaks[child.name] ?? '');
    })
    .join('');

/** Earlier transcripts have the times first: `0:0:1.0 --> 0:0:2.4`, then the name, then the text. */
const timesFirst = /^[ \t]*(\d[\d:.,]* *--> *[\d:.,]+)\s*\n\s*(\S.*)$/gm;

const paragraphsOf = (root: XmlElement): ReadonlyArray<string> =>
  elementsIn(root, 'p').map(textOf).join('\n').replaceAll(timesFirst, '$2  $1').split('\n');

/**
 * The transcript of a meeting of Microsoft Teams as a Word document: in each paragraph the name, three spaces and the
 * time, then the text; in earlier ones, two times with an arrow, the name and the text (Unstructured-IO/unstructured#1816).
 */
export const teamsDocx: XmlFormat = {
  name: 'teams_docx',
  reads: 'xml',
  recognises: (root) => root.name === 'document' && holdsTranscript(paragraphsOf(root)),
  read: (root, reading) => readTranscript(paragraphsOf(root), reading),
};
