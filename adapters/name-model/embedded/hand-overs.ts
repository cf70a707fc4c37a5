import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type Cue, cueEnds, cueStarts, goesAhead, handsOverTo } from './cues.js';
import { type Mention, mentionOf } from './mention.js';
import { nameAt, nameBefore, type Reading, type Span } from './names.js';
import type { Turn } from './turns.js';
import { offices, openers, titles } from './vocabulary.js';

/** How far before its end a turn hands over, and how far a name may be from the words that announce it; in words. */
const [closing, announced] = [70, 16];

const isOffice = (turn: Turn, at: number): boolean => offices.has(turn.tokens[at]?.lower ?? '');

/** A lone word before an office is a company: "Acme chief executive". */
const isEmployer = (turn: Turn, span: Span): boolean =>
  span.words.length === 1 && !span.titled && turn.tokens[span.to - 1]?.stops === false && isOffice(turn, span.to);

const maySkip = (turn: Turn, at: number, { cased }: Reading): boolean => {
  const token = turn.tokens[at];
  if (token === undefined || token.ends) return false;
  return offices.has(token.lower) || titles.has(token.lower) || (cased && /^\p{Ll}|['’]s$|^\p{Lu}+$/u.test(token.text));
};

/** The name that follows a cue, with offices and employers between. */
const announcedName = (turn: Turn, cueEnd: number, cue: Cue, reading: Reading): Span | null => {
  for (let at = cueEnd; at < Math.min(turn.tokens.length, cueEnd + announced); at += 1) {
    const span = nameAt(turn, at, reading);
    const isSure = reading.cased || reading.isKnown(span?.words[0] ?? '') || (at === cueEnd && cue.weight >= 4);
    if (span !== null && isSure && !span.possessive && !isEmployer(turn, span)) return span;
    if (span === null ? !maySkip(turn, at, reading) : !reading.cased && span.from > cueEnd) return null;
    if (turn.tokens[at]?.ends === true) return null;
  }
  return null;
};

/** A name that ends the turn: "Thank you. Suzy Davies." */
const lastWord = (turn: Turn, reading: Reading): Span | null => {
  const span = nameBefore(turn, turn.tokens.length, reading);
  const before = turn.tokens[(span?.from ?? 0) - (span?.titled === true ? 2 : 1)];
  return span !== null && (before === undefined || (reading.cased && before.stops)) ? span : null;
};

const isThanked = (turn: Turn, span: Span): boolean =>
  /(?:thanks|thank you|bye|morning|congratulations)(?: \w+){0,3} $/.test(
    turn.joined.slice(Math.max(0, (turn.offsets[span.from] ?? 0) - 40), turn.offsets[span.from]),
  ) && turn.tokens[span.from - 1]?.ends === false;

const opensOnly = (turn: Turn, span: Span): boolean =>
  turn.tokens.slice(0, span.from).every(({ lower }) => openers.has(lower) || titles.has(lower));

/** Names said at the end of a turn to give the floor to whoever speaks next. */
export const handOvers = (turn: Turn, next: SpeakerId, reading: Reading): readonly Mention[] => {
  const from = Math.max(0, turn.tokens.length - closing);
  const found = new Map<number, { span: Span; weight: number }>();
  const add = (span: Span | null, weight: number): void => {
    if (span === null || span.from < from || (found.get(span.from)?.weight ?? 0) >= weight) return;
    found.set(span.from, { span, weight });
  };
  for (const cue of handsOverTo)
    for (const end of cueEnds(turn, cue)) if (end >= from) add(announcedName(turn, end, cue, reading), cue.weight);
  for (const cue of goesAhead)
    for (const start of cueStarts(turn, cue)) {
      const span = start > from ? nameBefore(turn, start, reading) : null;
      if (span !== null && (reading.cased || reading.isKnown(span.words[0] ?? ''))) add(span, cue.weight);
    }
  const last = lastWord(turn, reading);
  if (last !== null && !isThanked(turn, last)) add(last, opensOnly(turn, last) && !last.titled ? 1 : 2.5);
  return [...found.values()].map(({ span, weight }) =>
    mentionOf(turn, span, { speaker: next, pattern: 'introduced_by_other', weight }),
  );
};
