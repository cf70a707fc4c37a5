import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type Mention, mentionOf } from './mention.js';
import { nameAt, nameBefore, type Span } from './names.js';
import type { Reading } from './reading.js';
import type { Turn } from './turns.js';
import { openers, titles } from './vocabulary.js';

const opening = 14;
const pattern = 'addressed_by_other';

/** Without capitals the end of a name is unknown, so only a known first name counts. */
const firstWord = (turn: Turn, { from, words, ...rest }: Span, { isKnown }: Reading): Span | null =>
  isKnown(turn.tokens[from]?.text ?? '') ? { ...rest, from, to: from + 1, words: words.slice(0, 1) } : null;

/** The first name in a turn, if only greetings and thanks come before it. */
const openingName = (turn: Turn, reading: Reading): Span | null => {
  for (let at = 0; at < Math.min(opening, turn.tokens.length); at += 1) {
    const span = nameAt(turn, at, reading);
    if (span !== null) return reading.cased ? span : firstWord(turn, span, reading);
    const lower = turn.tokens[at]?.lower ?? '';
    if (!openers.has(lower) && !titles.has(lower)) return null;
  }
  return null;
};

const before = (turn: Turn, span: Span): string => turn.joined.slice(0, turn.offsets[span.from]);

const isAddress = (turn: Turn, span: Span, reading: Reading): boolean => {
  if (span.possessive) return false;
  if (!reading.cased) return true;
  return turn.tokens[span.to - 1]?.stops === true || /(?:thanks|thank you) $/.test(before(turn, span));
};

/** Names at the start of a turn: they address the previous speaker, and sometimes the next one. */
const opened = (turn: Turn, previous: SpeakerId, next: SpeakerId | null, reading: Reading): readonly Mention[] => {
  const span = openingName(turn, reading);
  if (span === null || !isAddress(turn, span, reading)) return [];
  const words = before(turn, span);
  if (/thank/.test(words)) return [mentionOf(turn, span, { speaker: previous, pattern, weight: 2.5 })];
  const greets = /\b(?:hi|hey|hello|morning|afternoon|evening) /.test(words);
  const isBare = words.trim() === '';
  const to = mentionOf(turn, span, { speaker: previous, pattern, weight: greets ? 1 : isBare ? 0.8 : 1.5 });
  return next === null || next === previous || !(greets || isBare) ? [to] : [to, { ...to, speaker: next, weight: 0.8 }];
};

/** Thanks at the end of a turn: they address the previous speaker. */
const closed = (turn: Turn, previous: SpeakerId, reading: Reading): readonly Mention[] => {
  const span = nameBefore(turn, turn.tokens.length, reading);
  if (span === null || !/(?:thanks|thank you)(?: (?:very|so) much)? $/.test(before(turn, span))) return [];
  if (!reading.cased && (span.words.length > 2 || !reading.isKnown(turn.tokens[span.from]?.text ?? ''))) return [];
  return [mentionOf(turn, span, { speaker: previous, pattern, weight: 1.5 })];
};

/** Names with which a turn addresses the previous or the next speaker. */
export const addresses = (
  turn: Turn,
  previous: SpeakerId,
  next: SpeakerId | null,
  reading: Reading,
): readonly Mention[] => {
  const first = opened(turn, previous, next, reading);
  const last = closed(turn, previous, reading).filter(({ end }) => first.every((other) => other.end !== end));
  return [...first, ...last];
};
