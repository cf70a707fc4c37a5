import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type Mention, mentionOf } from './mention.js';
import { nameAt, type Span } from './names.js';
import type { Reading } from './reading.js';
import type { SameName } from './same-name.js';
import type { Turn } from './turns.js';
import { offices } from './vocabulary.js';

type FullName = Omit<Mention, 'speaker' | 'pattern' | 'weight'>;

const isOffice = (turn: Turn, at: number): boolean => offices.has(turn.tokens[at]?.lower ?? '');

/** Whether a name is said with the person's office: "Ada Fox, our treasurer", "our treasurer, Ada Fox". */
const isWithOffice = (turn: Turn, { from, to }: Span): boolean =>
  (isOffice(turn, from - 1) && turn.tokens[from - 1]?.ends === false) ||
  (turn.tokens[to - 1]?.ends === false && (isOffice(turn, to) || isOffice(turn, to + 1)));

const fullNamesIn = (turn: Turn, reading: Reading): readonly FullName[] => {
  const found: FullName[] = [];
  for (let at = 0; at < turn.tokens.length; at += 1) {
    const span = nameAt(turn, at, reading);
    if (span === null) continue;
    const isFull = span.words.length > 1 && !span.possessive && reading.isKnown(span.words[0] ?? '');
    if (isFull && (!reading.noisy || isWithOffice(turn, span))) {
      const {
        speaker: _,
        pattern: __,
        weight: ___,
        ...name
      } = mentionOf(turn, span, {
        speaker: turn.speaker,
        pattern: 'third_party_mention',
        weight: 0,
      });
      found.push(name);
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
const isPartOf = ({ words: [said = ''], titled }: Mention, { words }: FullName): boolean =>
  titled ? words.at(-1)?.toLowerCase() === said.toLowerCase() : isSameFirst(words[0] ?? '', said);

/** With more candidates the full name is ambiguous anyway, and comparing them would be slow. */
const maxCandidates = 300;

/** The only full name that may be the speaker's, or null. Full names of other speakers are excluded. */
const onlyOne = (
  fitting: readonly FullName[],
  others: readonly (readonly string[])[],
  sameName: SameName,
): FullName | null => {
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
      return [
        speaker,
        name === null ? mention : { ...name, speaker, pattern: 'third_party_mention', weight: mention.weight },
      ];
    }),
  );
};
