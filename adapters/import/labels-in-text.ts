import type { Interval, Place } from './imported.js';
import { personName } from './speaker-labels.js';
import type { Spoken } from './speech-parts.js';

/** A piece of text with its lines, which may begin with who speaks. */
export interface Captioned extends Interval {
  readonly text: ReadonlyArray<string>;
  readonly place: Place;
}

interface Line {
  readonly label: string | null;
  /** The text after the label. */
  readonly text: string;
  readonly whole: string;
}

/** A dash or chevrons before a speaker: `- Ann: text`, `>> ANN: text`. */
const opening = /^(?:[-–—‐]+|>{1,3}|»)\s*/;

/** `Ann Lee: text`, `Ann:text`, `田中太郎：text`, `ANN:` on a line of its own, `[Speaker 1]: text`. */
const beforeColon = /^([^:：]{1,80}?)\s*(?:：|:(?=$|\s|[\p{L}"'“‘¿¡[(]))\s*(.*)$/u;

/** `[Speaker 1] text`, `(speaker 0) text`. */
const inBrackets = /^(?:\[([^[\]]{1,60})\]|\(([^()]{1,60})\))\s*(\S.*)$/;

const particle = /^(?:al|bin|da|de|del|der|di|dos|du|el|la|le|of|the|van|von|y|on|and|&|-|–)$/;

/** Words of a label that are not written like a name, from its first letter. */
const lowerCaseWords = (label: string): number =>
  label.split(/\s+/).filter((word) => !particle.test(word) && /^[^\p{L}]*\p{Ll}/u.test(word)).length;

/** Text in brackets without a name in it, which may stand around a label. */
const bare = (label: string): string => label.replace(/^\[(.*)\]$/, '$1').trim();

/**
 * Whether a text can be a label. Where most pieces begin with one, people may call themselves as they like; elsewhere it
 * has to be written like a name, or be one that a tool generates.
 */
const looksLikeLabel = (label: string, usual: boolean): boolean => {
  if (!/[\p{L}\p{N}]/u.test(label) || /[.!?…]\s|[!?…]$|^\d+$|https?$/u.test(label)) return false;
  const words = label.split(/\s+/).length;
  if (usual) return words <= 12 && lowerCaseWords(label) <= 2;
  return words <= 6 && (lowerCaseWords(label) === 0 || personName(label) === null) && !/[<>[\]]/.test(label);
};

const cutAtColon = (whole: string, usual: boolean): Line => {
  const bareText = whole.replace(opening, '');
  const [, found = '', text = ''] = beforeColon.exec(bareText) ?? [];
  const label = bare(found.trim());
  return label !== '' && looksLikeLabel(label, usual) ? { label, text, whole } : { label: null, text: whole, whole };
};

/** A label in brackets without a colon has to be a generated one: `[Music]` and `(laughs)` say what is heard. */
const cutAtBracket = (whole: string): Line => {
  const [, square, round, text = ''] = inBrackets.exec(whole.replace(opening, '')) ?? [];
  const label = (square ?? round ?? '').trim();
  return /\d/.test(label) && personName(label) === null && /\p{L}/u.test(label)
    ? { label, text, whole }
    : { label: null, text: whole, whole };
};

const cut = (whole: string, usual: boolean): Line => {
  const bracketed = cutAtBracket(whole);
  return bracketed.label === null || /^\s*[:：]/.test(bracketed.text) ? cutAtColon(whole, usual) : bracketed;
};

/**
 * Which labels are speakers. A single word before a colon may belong to the sentence (`Question: …`): it counts if it
 * occurs in two lines, or if at least half of the pieces begin with a label.
 */
const speakersAmong = (labels: ReadonlyArray<string>, usual: boolean): ReadonlySet<string> => {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return new Set(
    [...counts]
      .filter(([label, count]) => usual || count > 1 || personName(label) === null || /\s/.test(label))
      .map(([label]) => label),
  );
};

const labelsOf = (pieces: ReadonlyArray<Captioned>, usual: boolean): ReadonlyArray<string> =>
  pieces.flatMap(({ text }) => text.flatMap((line) => cut(line, usual).label ?? []));

/** Whether at least half of the pieces begin with a label. */
export const areLabelled = (pieces: ReadonlyArray<Captioned>): boolean => {
  const labelled = pieces.filter(({ text }) => cut(text[0] ?? '', true).label !== null);
  return labelled.length > 0 && labelled.length * 2 >= pieces.length;
};

/**
 * Who says what, by the labels before the text. A piece without a label belongs to the previous speaker if `inherits` is
 * true, and to nobody otherwise. Lines of one speaker in a piece are one utterance.
 */
export const spokenByLabels = (pieces: ReadonlyArray<Captioned>, inherits: boolean): ReadonlyArray<Spoken> => {
  const usual = areLabelled(pieces);
  const speakers = speakersAmong(labelsOf(pieces, usual), usual);
  let speaker: string | null = null;
  return pieces.flatMap(({ start, end, text, place }) => {
    const spoken: { speaker: string | null; text: string[] }[] = [];
    if (!inherits) speaker = null;
    for (const whole of text) {
      const line = cut(whole, usual);
      const named = line.label !== null && speakers.has(line.label);
      if (named) speaker = line.label;
      const said = named ? line.text : whole;
      const last = spoken.at(-1);
      if (last !== undefined && last.speaker === speaker) last.text.push(said);
      else spoken.push({ speaker, text: [said] });
    }
    return spoken.map((one) => ({ speaker: one.speaker, start, end, text: one.text.join(' ').trim(), place }));
  });
};
