import type { Cue } from './cue-lines.js';
import type { Spoken } from './speech-parts.js';

const voice = /<v(?:\.[^\s>]*)?[ \t]+([^>]*)>/g;
const closing = /<\/v>/;

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  quot: '"',
  apos: "'",
  lrm: '',
  rlm: '',
};

/** Text without the tags and entities of WebVTT. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&([a-z]{2,4});/g, (whole, name: string) => entities[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Who says what in a cue, by `<v Name>`. A voice lasts until its end tag, the next voice or the end of the cue. */
export const spokenByVoice = ({ start, end, line: place, text }: Cue): ReadonlyArray<Spoken> => {
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
