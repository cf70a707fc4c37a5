import type { Cue } from './cue-lines.js';
import { personName } from './speaker-labels.js';
import type { Spoken } from './speech-parts.js';

interface Line {
  readonly cue: Cue;
  readonly label: string | null;
  /** The text after the label. */
  readonly text: string;
  readonly whole: string;
}

/** `Ann Lee: text`, `- Ann: text`, `>> ANN: text`, `[Speaker 1]: text`. */
const prefix = /^(?:[-–—]|>{1,3})?\s*(?:\[([^[\]:]{1,60})\]|([\p{L}\p{N}][^:<>[\]!?]{0,59}))\s*:\s+(\S.*)$/u;
const maxWords = 6;
const particle = /^(?:al|bin|da|de|del|der|di|dos|du|el|la|le|of|the|van|von|y)$/;

const looksLikeLabel = (label: string): boolean => {
  const words = label.trim().split(/\s+/);
  return words.length <= maxWords && words.every((word) => particle.test(word) || !/^\p{Ll}/u.test(word));
};

const cut = (cue: Cue, whole: string): Line => {
  const [, bracketed, plain, text = ''] = prefix.exec(whole) ?? [];
  const label = (bracketed ?? plain ?? '').trim();
  return label !== '' && looksLikeLabel(label) ? { cue, label, text, whole } : { cue, label: null, text: whole, whole };
};

/**
 * Which labels are speakers. A single word before a colon may belong to the sentence (`Question: …`): it counts if it
 * occurs in two lines, or if at least half of the cues begin with a label.
 */
const speakersAmong = (lines: ReadonlyArray<Line>, cues: number): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  for (const { label } of lines) if (label !== null) counts.set(label, (counts.get(label) ?? 0) + 1);
  const usual = [...counts.values()].reduce((sum, count) => sum + count, 0) * 2 >= cues;
  return new Set(
    [...counts]
      .filter(([label, count]) => usual || count > 1 || personName(label) === null || /\s/.test(label))
      .map(([label]) => label),
  );
};

const join = (pieces: ReadonlyArray<Spoken>): ReadonlyArray<Spoken> => {
  const joined: Spoken[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last !== undefined && last.place === piece.place && last.speaker === piece.speaker)
      joined[joined.length - 1] = { ...last, text: `${last.text} ${piece.text}` };
    else joined.push(piece);
  }
  return joined;
};

/**
 * Who says what, by the names before the text. A cue without a name belongs to the previous speaker if `inherits` is
 * true, and to nobody otherwise.
 */
export const spokenByPrefix = (cues: ReadonlyArray<Cue>, inherits: boolean): ReadonlyArray<Spoken> => {
  const lines = cues.flatMap((cue) => cue.text.map((line) => cut(cue, line)));
  const speakers = speakersAmong(lines, cues.length);
  let speaker: string | null = null;
  let cue: Cue | null = null;
  const pieces = lines.map((line): Spoken => {
    const named = line.label !== null && speakers.has(line.label);
    if (named) speaker = line.label;
    else if (line.cue !== cue && !inherits) speaker = null;
    cue = line.cue;
    const { start, end, line: place } = line.cue;
    return { speaker, start, end, text: named ? line.text : line.whole, place };
  });
  return join(pieces);
};
