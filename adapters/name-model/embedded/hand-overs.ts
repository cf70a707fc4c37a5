import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type Cue, cueEnds, cueStarts, goesAhead, handsOverTo } from './cues.js';
import { type Mention, mentionOf } from './mention.js';
import { nameAt, nameBefore, type Span } from './names.js';
import type { Reading } from './reading.js';
import { type Turn, wordsBefore } from './turns.js';
import { offices, openers, titles } from './vocabulary.js';

/** How far from the end of a turn a hand-over may be, and how far a name may be from its cue; in words. */
const [closing, announced] = [70, 16];
const [earlierShare, distant, distantShare] = [0.4, 30, 0.6];

/** Whether the first word is a known first name in its spelling; without capitals fewer words are. */
const isKnownAt = (turn: Turn, span: Span | null, { isKnown }: Reading): boolean =>
  span !== null && isKnown(turn.tokens[span.from]?.text ?? '');

const isOffice = (turn: Turn, at: number): boolean => offices.has(turn.tokens[at]?.lower ?? '');

/** Whether a name is a company: a single word before an office, as in "Acme chief executive". */
const isEmployer = (turn: Turn, span: Span): boolean =>
  span.words.length === 1 && !span.titled && turn.tokens[span.to - 1]?.stops === false && isOffice(turn, span.to);

const maySkip = (turn: Turn, at: number, { cased }: Reading): boolean => {
  const token = turn.tokens[at];
  if (token === undefined || token.ends) return false;
  if (token.broken) return true;
  return offices.has(token.lower) || titles.has(token.lower) || (cased && /^\p{Ll}|['’]s$|^\p{Lu}+$/u.test(token.text));
};

const relations = /(?:of|with|from|for|at|in|and|on|by|about) $/;

/** Whether a name is a place or an organisation, by the preposition before it. */
const isOrigin = (turn: Turn, span: Span): boolean => {
  const first = span.from - (span.titled ? 1 : 0);
  return !span.titled && turn.tokens[first - 1]?.stops === false && relations.test(wordsBefore(turn, first));
};

/** A later name with a title in the sentence: "the member for Red Deer, Mr. Fox". */
const titledAfter = (turn: Turn, from: number, reading: Reading): Span | null => {
  for (let at = from; at < Math.min(turn.tokens.length, from + announced); at += 1) {
    const span = titles.has(turn.tokens[at]?.lower ?? '') ? nameAt(turn, at, reading) : null;
    if (span?.titled === true) return span;
    if (turn.tokens[at]?.ends === true) return null;
  }
  return null;
};

/** The name after a cue, possibly with offices and employers between. */
const announcedName = (turn: Turn, cueEnd: number, cue: Cue, reading: Reading): Span | null => {
  const titled = titledAfter(turn, cueEnd, reading);
  if (titled !== null) return titled;
  for (let at = cueEnd; at < Math.min(turn.tokens.length, cueEnd + announced); at += 1) {
    const span = nameAt(turn, at, reading);
    const isSure = reading.cased || isKnownAt(turn, span, reading) || (at === cueEnd && cue.weight >= 4);
    const isOwner = span?.possessive === true && (span.words.length === 1 || cue.weight < 4);
    const isOther = isOwner || (span !== null && at > cueEnd && isOrigin(turn, span));
    if (span !== null && isSure && !isOther && !isEmployer(turn, span)) return span;
    if (span === null ? !maySkip(turn, at, reading) : !reading.cased) return null;
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

interface Named {
  readonly span: Span;
  readonly weight: number;
}

const announcements = (turn: Turn, from: number, reading: Reading): readonly Named[] =>
  handsOverTo.flatMap((cue) =>
    cueEnds(turn, cue).flatMap((end) => {
      const span = end < from ? null : announcedName(turn, end, cue, reading);
      return span === null ? [] : [{ span, weight: cue.weight }];
    }),
  );

const invitations = (turn: Turn, from: number, reading: Reading): readonly Named[] =>
  goesAhead.flatMap((cue) =>
    cueStarts(turn, cue).flatMap((start) => {
      const span = start <= from ? null : nameBefore(turn, start, reading);
      if (span === null || isOrigin(turn, span)) return [];
      return reading.cased || isKnownAt(turn, span, reading) ? [{ span, weight: cue.weight }] : [];
    }),
  );

/** The name at the end of a turn, unless its sentence has already announced another: "Mr. Fox, Red Deer." */
const farewell = (turn: Turn, others: readonly Named[], reading: Reading): readonly Named[] => {
  const span = lastWord(turn, reading);
  if (span === null || isThanked(turn, span)) return [];
  const sentence = turn.tokens.findLastIndex(({ ends }, at) => ends && at < span.from) + 1;
  if (others.some((other) => other.span.from >= sentence && other.span.from < span.from)) return [];
  const isAlone = span.from - (span.titled ? 1 : 0) <= sentence;
  return [{ span, weight: span.titled || (isAlone && !opensOnly(turn, span)) ? 2.5 : 1.5 }];
};

/** Whether a name follows another one in the same sentence: then it is an employer. */
const isSameSentence = (turn: Turn, one: Span, other: Span): boolean =>
  other.from > one.from && !turn.tokens.slice(one.from, other.from).some(({ ends }) => ends);

/** Names at the end of a turn that give the floor to the next speaker. The last name has the most weight. */
export const handOvers = (turn: Turn, next: SpeakerId, reading: Reading): readonly Mention[] => {
  const from = Math.max(0, turn.tokens.length - closing);
  const announced = announcements(turn, from, reading);
  const isNew = ({ span }: Named): boolean => !announced.some((other) => isSameSentence(turn, other.span, span));
  const cued = [...announced, ...invitations(turn, from, reading).filter(isNew)];
  const all = [...cued, ...farewell(turn, cued, reading)].sort((one, other) => other.weight - one.weight);
  const named = all.filter(
    ({ span }, at) => span.from >= from && all.findIndex((one) => one.span.from === span.from) === at,
  );
  const last = named.reduce<Span | null>((one, { span }) => (one === null || span.from > one.from ? span : one), null);
  return named.map(({ span, weight }) => {
    const isLast = last === null || span.words.some((word) => last.words.includes(word));
    return mentionOf(turn, span, {
      speaker: next,
      pattern: 'introduced_by_other',
      weight: weight * (isLast ? 1 : earlierShare) * (turn.tokens.length - span.to > distant ? distantShare : 1),
    });
  });
};
