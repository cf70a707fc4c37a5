import { type Spoken, type Tally, type Interval, type Place, type Reading, refuse } from './format.js';
import { personName } from './speaker-labels.js';
import { clockSeconds } from './times.js';
import { decodeHTML } from 'entities';

/** Text without tags and character references, in single spaces. A `<` that no `>` follows is text. */
export const plainText = (text: string): string =>
  decodeHTML(text.replaceAll(/<\/?(?:[a-z0-9.:][^<>]*)?>/gi, ''))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** A subtitle: when it is shown, its lines of text, which may begin with who speaks, and where its times stand. */
export interface Cue extends Interval {
  readonly text: ReadonlyArray<string>;
  readonly place: Place;
}

/**
 * WebVTT begins with a header, which an empty line ends. In SubRip a line of white space separates cues as an empty one
 * does, and numbers before cues mean nothing.
 */
type CueFormat = 'WebVTT' | 'SubRip';

/** The limit of utterances in an analysis. */
const maxCues = 200_000;

const timing = /^\s*((?:\d+:)?\d\d:\d\d(?:[.,]\d+)?)\s*-->\s*((?:\d+:)?\d\d:\d\d(?:[.,]\d+)?)(?:\s.*)?$/;
const arrow = '-->';
const longestTimes = 60;
/** The first time of a cue, and a part of the arrow. */
const cutTimes = /^\s*\d+:[\d:.,]*\s*-*\s*$/;
/** What the header of WebVTT may have: `Kind: captions`, `X-TIMESTAMP-MAP=…`. */
const metadata = /^(?:WEBVTT|[A-Za-z-]+\s*[:=])/;
const comment = /^(?:NOTE|STYLE|REGION)(?:\s|$)/;

const timesIn = (text: string): Interval | null => {
  const [, from = '', to = ''] = timing.exec(text) ?? [];
  const [start, end] = [clockSeconds(from), clockSeconds(to)];
  return start === null || end === null ? null : { start, end };
};

const isNumber = (text: string): boolean => /^\s*\d+\s*$/.test(text);

/** Lines without an empty one between them, and the number of the first. */
interface Block {
  readonly first: number;
  readonly lines: ReadonlyArray<string>;
}

function* blocksOf(lines: Iterable<string>, isEmpty: (line: string) => boolean): Generator<Block> {
  let block: string[] = [];
  let count = 0;
  for (const text of lines) {
    count += 1;
    if (!isEmpty(text)) block.push(text);
    else {
      yield { first: count - block.length, lines: block };
      block = [];
    }
  }
  yield { first: count + 1 - block.length, lines: block };
}

/**
 * Reads cues as the W3C's parser of WebVTT does: an empty line ends a cue, and a line with `-->` always begins the next
 * one. Text that belongs to no cue is kept with the cue before it. Cues without valid times are counted, but the last
 * one is an error, because the file ends in it.
 */
export const readCues = (lines: Iterable<string>, format: CueFormat, dropped: Tally): ReadonlyArray<Cue> => {
  const isSubRip = format === 'SubRip';
  const cues: (Cue & { readonly text: string[] })[] = [];
  const keep = (stray: ReadonlyArray<string>): void => {
    const last = cues.at(-1);
    const areNumbers = stray.every(isNumber);
    if (last === undefined || (areNumbers && !isSubRip)) dropped.add('line that belongs to no cue', stray.length);
    else if (!areNumbers) for (const text of stray) last.text.push(text);
  };
  /** The last line of times, if it is not valid and nothing follows. */
  let cut: { readonly line: number; readonly text: string } | null = null;
  let isHeader = !isSubRip;
  let [lastStray, lastLine] = ['', 0];
  for (const { first, lines: block } of blocksOf(lines, (line) => (isSubRip ? line.trim() : line) === '')) {
    const starts = block.flatMap((text, index) => (text.includes(arrow) ? [index] : []));
    const before = block.slice(0, starts[0]);
    const isId = starts.length > 0 && before.length === 1 && (!isSubRip || before.every(isNumber));
    const isComment = !isSubRip && comment.test(before[0] ?? '');
    if (isHeader) dropped.add('line in the header', before.filter((text) => !metadata.test(text)).length);
    else if (isComment) dropped.add('NOTE, STYLE or REGION');
    const stray = isHeader || isComment || isId ? [] : before;
    lastStray = starts.length > 0 ? '' : (stray.at(-1) ?? '');
    lastLine = first + block.length - 1;
    keep(stray);
    if (before.length > 0 && cues.length > 0) cut = null;
    isHeader = false;
    for (const [nth, start] of starts.entries()) {
      const [line, whole = ''] = [first + start, block[start]];
      const text = block.slice(start + 1, starts[nth + 1]);
      // In SubRip the number of a cue may follow the text of the cue before at once.
      if (isSubRip && nth + 1 < starts.length && isNumber(text.at(-1) ?? '')) text.pop();
      const times = timesIn(whole);
      if (times === null) dropped.add('cue without valid times');
      else cues.push({ ...times, place: line, text });
      if (cues.length > maxCues) refuse(line, `more than ${maxCues.toLocaleString('en')} cues`);
      cut = times !== null || (text.length > 0 && cues.length > 0) ? null : { line, text: whole };
    }
  }
  if (cutTimes.test(lastStray.slice(0, longestTimes)))
    refuse(lastLine, 'the file ends within the times of a cue; it seems to be truncated');
  if (cut !== null)
    refuse(
      cut.line,
      `${JSON.stringify(cut.text.slice(0, 80))} is not a valid pair of cue times, such as 00:00:01.000 --> 00:00:02.500`,
    );
  return cues;
};

/** Cues that follow each other at most this far apart may show the same text again. */
const rollSeconds = 0.1;

const wordsOf = (text: ReadonlyArray<string>): ReadonlyArray<string> =>
  text
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '');

/** Captions show a few lines. */
const mostRolled = 200;

/** How many words at the end of the first text begin the second, too. */
const overlapOf = (first: ReadonlyArray<string>, second: ReadonlyArray<string>): number => {
  for (let count = Math.min(first.length, second.length, mostRolled); count > 0; count -= 1)
    if (second.slice(0, count).every((word, index) => word === first[first.length - count + index])) return count;
  return 0;
};

/** A text without its first words, which may be on several lines. */
const withoutWords = (text: ReadonlyArray<string>, count: number): ReadonlyArray<string> => {
  let left = count;
  return text.flatMap((one) => {
    const words = wordsOf([one]);
    const kept = words.slice(left);
    const rest = left === 0 ? one : kept.join(' ');
    left = Math.max(0, left - words.length);
    return rest.trim() === '' ? [] : [rest];
  });
};

/**
 * Captions that roll show each line again with the next one: such text is kept once. They roll if at least half of the
 * cues that follow each other begin with the words with which the one before ends, and some of them add to these words.
 * The lines have to be without tags.
 */
const withoutRolling = <Shown extends Cue>(cues: ReadonlyArray<Shown>, notes: Tally): ReadonlyArray<Shown> => {
  const words = cues.map(({ text }) => wordsOf(text));
  const steps = cues.slice(1).map((cue, index) => {
    const touches = Math.abs(cue.start - (cues[index]?.end ?? 0)) <= rollSeconds;
    const [before = [], own = []] = [words[index], words[index + 1]];
    const overlap = touches ? overlapOf(before, own) : 0;
    return { touches, overlap, grows: overlap > 0 && own.length > overlap };
  });
  const touching = steps.filter(({ touches }) => touches).length;
  const repeating = steps.filter(({ overlap }) => overlap > 0).length;
  if (!steps.some(({ grows }) => grows) || repeating * 2 < touching) return cues;
  notes.add('cue that shows words of the cue before again: they are kept once', repeating);
  return cues.flatMap((cue, index) => {
    const text = withoutWords(cue.text, index === 0 ? 0 : (steps[index - 1]?.overlap ?? 0));
    return text.length === 0 ? [] : [{ ...cue, text }];
  });
};

/** A line that begins with who speaks. */
interface Labelled {
  readonly label: string;
  readonly text: string;
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

const cutAtColon = (line: string, usual: boolean): Labelled | null => {
  const [, found = '', text = ''] = beforeColon.exec(line) ?? [];
  const label = bare(found.trim());
  return label !== '' && looksLikeLabel(label, usual) ? { label, text } : null;
};

/** A label in brackets without a colon has to be a generated one: `[Music]` and `(laughs)` say what is heard. */
const cutAtBracket = (line: string): Labelled | null => {
  const [, square, round, text = ''] = inBrackets.exec(line) ?? [];
  const label = (square ?? round ?? '').trim();
  return /\d/.test(label) && /\p{L}/u.test(label) && personName(label) === null ? { label, text } : null;
};

const cut = (whole: string, usual: boolean): Labelled | null => {
  const line = whole.replace(opening, '');
  const bracketed = cutAtBracket(line);
  return bracketed === null || /^\s*[:：]/.test(bracketed.text) ? cutAtColon(line, usual) : bracketed;
};

/**
 * Which labels are speakers. A single word before a colon may belong to the sentence (`Question: …`): it counts if it
 * occurs in two lines, or if at least half of the pieces begin with a label.
 */
const speakersAmong = (pieces: ReadonlyArray<Cue>, usual: boolean): ReadonlySet<string> => {
  const labels = pieces.flatMap(({ text }) => text.flatMap((line) => cut(line, usual)?.label ?? []));
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const isSpeaker = (label: string): boolean =>
    usual || (counts.get(label) ?? 0) > 1 || personName(label) === null || /\s/.test(label);
  return new Set([...counts.keys()].filter(isSpeaker));
};

/** Whether at least half of the pieces begin with a label. */
export const areLabelled = (pieces: ReadonlyArray<Cue>): boolean => {
  const labelled = pieces.filter(({ text }) => cut(text[0] ?? '', true) !== null);
  return labelled.length > 0 && labelled.length * 2 >= pieces.length;
};

/**
 * Who says what, by the labels before the text. A piece without a label belongs to the previous speaker if `inherits` is
 * true, and to nobody otherwise. Lines of one speaker in a piece are one utterance.
 */
const spokenByLabels = (pieces: ReadonlyArray<Cue>, inherits: boolean): ReadonlyArray<Spoken> => {
  const usual = areLabelled(pieces);
  const speakers = speakersAmong(pieces, usual);
  let speaker: string | null = null;
  return pieces.flatMap(({ start, end, text, place }) => {
    const spoken: { speaker: string | null; text: string[] }[] = [];
    if (!inherits) speaker = null;
    for (const whole of text) {
      const line = cut(whole, usual);
      const isNamed = line !== null && speakers.has(line.label);
      if (isNamed) speaker = line.label;
      const said = isNamed ? line.text : whole;
      const last = spoken.at(-1);
      if (last !== undefined && last.speaker === speaker) last.text.push(said);
      else spoken.push({ speaker, text: [said] });
    }
    return spoken.map((one) => ({ speaker: one.speaker, start, end, text: one.text.join(' ').trim(), place }));
  });
};

/** A cue of a format that may say who speaks; null: a label before the text may. */
export interface Caption extends Cue {
  readonly speaker: string | null;
}

/**
 * Who says what in captions, by their speakers or else the labels before the text. `inherits`: whether a caption without a
 * speaker belongs to the previous one, and else to nobody; `rolls`: whether captions may roll: they show text again.
 */
export const spokenInCaptions = (
  captions: ReadonlyArray<Caption>,
  { inherits, rolls }: { readonly inherits: boolean; readonly rolls: boolean },
  { dropped, notes }: Reading,
): ReadonlyArray<Spoken> => {
  const given = captions.filter(({ text }) => text.some((line) => line.trim() !== ''));
  dropped.add('caption without text', captions.length - given.length);
  const unnamed = given.filter(({ speaker }) => speaker === null);
  return [
    ...given.filter(({ speaker }) => speaker !== null).map((one) => ({ ...one, text: one.text.join(' ') })),
    ...spokenByLabels(rolls ? withoutRolling(unnamed, notes) : unnamed, inherits),
  ];
};
