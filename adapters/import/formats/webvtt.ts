import { type Cue, readCues, withoutRolling } from '../cues.js';
import type { DocumentParts, LineFormat } from '../format.js';
import { areLabelled, spokenByLabels } from '../labels-in-text.js';
import { plainText } from '../plain-text.js';
import type { Spoken } from '../speech-parts.js';
import { Tally } from '../tally.js';

const voice = /<v(?:\.[^\s<>]*)?[ \t]([^<>]*)>/g;
const closing = /<\/v>/;

/** Who says what in a cue, by `<v Name>`. A voice lasts until its end tag, the next voice or the end of the cue. */
const spokenByVoice = ({ start, end, line: place, text }: Cue): ReadonlyArray<Spoken> => {
  const whole = text.join('\n');
  const spoken: Spoken[] = [];
  const say = (speaker: string | null, said: string): void => {
    const words = plainText(said);
    if (words !== '') spoken.push({ speaker, start, end, text: words, place });
  };
  let at = 0;
  let speaker: string | null = null;
  const sayUpTo = (next: number): void => {
    const [voiced = '', ...unvoiced] = whole.slice(at, next).split(closing);
    say(speaker, voiced);
    say(null, unvoiced.join(' '));
  };
  for (const match of whole.matchAll(voice)) {
    sayUpTo(match.index);
    speaker = plainText(match[1] ?? '') || null;
    at = match.index + match[0].length;
  }
  sayUpTo(whole.length);
  return spoken;
};

/** The lines of cues without tags; cues without any text are counted. */
export const untagged = (
  cues: ReadonlyArray<Cue>,
  plain: (text: string) => string,
  dropped: Tally,
): ReadonlyArray<Cue> => {
  const plainCues = cues.map((cue) => ({ ...cue, text: cue.text.map(plain).filter((line) => line !== '') }));
  dropped.add('cue without text', plainCues.filter(({ text }) => text.length === 0).length);
  return plainCues;
};

/** Cues by the labels before their text, in captions that may roll. */
export const spokenInCues = (cues: ReadonlyArray<Cue>, inherits: boolean, notes: Tally): ReadonlyArray<Spoken> =>
  spokenByLabels(
    withoutRolling(cues, notes).map(({ line: place, ...cue }) => ({ ...cue, place })),
    inherits,
  );

/** Voice tags say who speaks; in a file without any, the labels before the text do. */
const readWebVtt = (lines: Iterable<string>): DocumentParts => {
  const [dropped, notes] = [new Tally(), new Tally()];
  const cues = readCues(lines, { header: true, subRip: false }, dropped);
  const hasVoices = cues.some(({ text }) => text.some((line) => line.search(voice) !== -1));
  const voiced = hasVoices ? cues.map(spokenByVoice) : [];
  dropped.add('cue without text', voiced.filter((pieces) => pieces.length === 0).length);
  const spoken = hasVoices ? voiced.flat() : spokenInCues(untagged(cues, plainText, dropped), false, notes);
  return { rows: cues.length, speech: { grain: 'utterance', spoken, missing: 'no cue with text' }, dropped, notes };
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
    if (!isWebVtt(start) || start.search(voice) !== -1) return false;
    // The start may end within the times of a cue.
    const whole = start.slice(0, start.lastIndexOf('\n\n') + 1);
    const cues = untagged(
      readCues(whole.split('\n'), { header: true, subRip: false }, new Tally()),
      plainText,
      new Tally(),
    );
    return areLabelled(cues.map(({ line: place, ...cue }) => ({ ...cue, place })));
  },
  read: readWebVtt,
};
