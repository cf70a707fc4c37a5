import type { Turn } from './turns.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type Span, nameAt } from './names.js';
import type { Reading } from './reading.js';
import { type Mention, isOffice, mentionOf } from './mentions.js';

/** Whether the edit distance of two words is at most 1. */
const isOneEditApart = (one: string, other: string): boolean => {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  return short.slice(at + (short.length === long.length ? 1 : 0)) === long.slice(at + 1);
};

/** Whether two words may be variants of one name: `Brendan` and `Brendon`, `Matt` and `Matthew`. */
export const isSameWord = (one: string, other: string): boolean => {
  if (one === other) return true;
  const shorter = Math.min(one.length, other.length);
  return (
    (shorter >= 3 && (one.startsWith(other) || other.startsWith(one))) || (shorter >= 4 && isOneEditApart(one, other))
  );
};

/** Whether two names may belong to one person. */
export type SameName = (one: readonly string[], other: readonly string[]) => boolean;

const lower = (words: readonly string[]): readonly string[] => words.map((word) => word.toLowerCase());

/** Two names agree if one contains all words of the other, or if they occur together as one name. */
export const sameNameIn = (turns: readonly Turn[]): SameName => {
  const pairs = new Set(
    turns.flatMap(({ tokens }) =>
      tokens.flatMap(({ lower: word, stops }, at) => (stops ? [] : [`${word} ${tokens[at + 1]?.lower ?? ''}`])),
    ),
  );
  return (one, other) => {
    const [few, many] = one.length <= other.length ? [lower(one), lower(other)] : [lower(other), lower(one)];
    const isPart = few.every((word) => many.some((another) => isSameWord(word, another)));
    return isPart || (many.length === 1 && (pairs.has(`${few[0]} ${many[0]}`) || pairs.has(`${many[0]} ${few[0]}`)));
  };
};

/** Whether a name is said with the person's office: "Ada Fox, our treasurer", "our treasurer, Ada Fox". */
const isWithOffice = (turn: Turn, { from, to }: Span): boolean =>
  (isOffice(turn, from - 1) && turn.tokens[from - 1]?.ends === false) ||
  (turn.tokens[to - 1]?.ends === false && (isOffice(turn, to) || isOffice(turn, to + 1)));

/** Full names that are mentioned in a turn. */
const fullNamesIn = (turn: Turn, reading: Reading): readonly Mention[] => {
  const found: Mention[] = [];
  for (let at = 0; at < turn.tokens.length; at += 1) {
    const span = nameAt(turn, at, reading);
    if (span === null) continue;
    const isFull = span.words.length > 1 && !span.possessive && reading.isKnown(span.words[0] ?? '');
    if (isFull && (!reading.noisy || isWithOffice(turn, span))) {
      found.push(mentionOf(turn, span, { speaker: turn.speaker, pattern: 'third_party_mention', weight: 0 }));
    }
    at = span.to - 1;
  }
  return found;
};

/** Whether two first names may be the same: "Rod" may be short for "Rodney". */
const isSameFirst = (full: string, said: string): boolean => {
  const [long, short] = [full.toLowerCase(), said.toLowerCase()];
  return long === short || (short.length >= 3 && long.startsWith(short));
};

/** Whether a mention may be a part of a full name: "Rod" or "Mr. Fox" of Rodney Fox. */
const isPartOf = ({ words: [said = ''], titled }: Mention, { words }: Mention): boolean =>
  titled ? words.at(-1)?.toLowerCase() === said.toLowerCase() : isSameFirst(words[0] ?? '', said);

/** With more candidates the full name is ambiguous anyway, and comparing them would be slow. */
const maxCandidates = 300;

/** The only full name that may be the speaker's, or null. Full names of other speakers are excluded. */
const onlyOne = (
  fitting: readonly Mention[],
  others: readonly (readonly string[])[],
  sameName: SameName,
): Mention | null => {
  const people = [...new Map(fitting.map((name) => [name.words.join(' '), name])).values()];
  if (people.length > maxCandidates) return null;
  const ofOthers = others.filter((other) => other.length > 1);
  const [name, ...more] = people.filter(({ words }) => !ofOthers.some((other) => sameName(words, other)));
  if (name === undefined || others.some((other) => sameName(name.words, other))) return null;
  return more.every(({ words }) => sameName(words, name.words)) ? name : null;
};

/**
 * Completes names of a single word: if others mention exactly one fitting full name that is no other speaker's, it is
 * used. In a noisy transcript the full name must be said with an office, because surnames are unreliable there.
 */
export const withFullNames = (
  found: ReadonlyMap<SpeakerId, Mention>,
  turns: readonly Turn[],
  reading: Reading,
  sameName: SameName,
): ReadonlyMap<SpeakerId, Mention> => {
  if (!reading.cased || ![...found.values()].some(({ words }) => words.length === 1)) return found;
  const full = turns.flatMap((turn) => fullNamesIn(turn, reading));
  return new Map(
    [...found].map(([speaker, mention]): [SpeakerId, Mention] => {
      if (mention.words.length > 1) return [speaker, mention];
      const fitting = full.filter((name) => name.by !== speaker && isPartOf(mention, name));
      const others = [...found].flatMap(([other, { words }]) => (other === speaker ? [] : [words]));
      const name = onlyOne(fitting, others, sameName);
      return [speaker, name === null ? mention : { ...name, speaker, weight: mention.weight }];
    }),
  );
};
