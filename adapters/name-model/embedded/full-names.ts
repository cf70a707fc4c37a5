import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type Mention, mentionOf } from './mention.js';
import { nameAt, type Span } from './names.js';
import type { Reading } from './reading.js';
import type { SameName } from './same-name.js';
import type { Turn } from './turns.js';
import { offices } from './vocabulary.js';

type FullName = Omit<Mention, 'speaker' | 'pattern' | 'weight'>;

const isOffice = (turn: Turn, at: number): boolean => offices.has(turn.tokens[at]?.lower ?? '');

/** "Ada Fox, our treasurer", "our treasurer, Ada Fox": names that are said with what the person does there. */
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

/** "Rod" may be the short form of "Rodney". */
const isSameFirst = (full: string, said: string): boolean => {
  const [long, short] = [full.toLowerCase(), said.toLowerCase()];
  return long === short || (short.length >= 3 && long.startsWith(short));
};

/** Whether a name that was found may be that of a person who is named in full: "Rod" or "Mr. Fox", of Rodney Fox. */
const isPartOf = ({ words: [said = ''], titled }: Mention, { words }: FullName): boolean =>
  titled ? words.at(-1)?.toLowerCase() === said.toLowerCase() : isSameFirst(words[0] ?? '', said);

/** Of whoever may be one of more people, nobody can tell which; each would have to be compared with each speaker. */
const mostPeople = 300;

/** The one full name that may be a speaker's, or null: whose are others' in full is left out. */
const onlyOne = (
  fitting: readonly FullName[],
  others: readonly (readonly string[])[],
  sameName: SameName,
): FullName | null => {
  const people = [...new Map(fitting.map((name) => [name.words.join(' '), name])).values()];
  if (people.length > mostPeople) return null;
  const ofOthers = others.filter((other) => other.length > 1);
  const [name, ...more] = people.filter(({ words }) => !ofOthers.some((other) => sameName(words, other)));
  if (name === undefined || others.some((other) => sameName(name.words, other))) return null;
  return more.every(({ words }) => sameName(words, name.words)) ? name : null;
};

/**
 * For speakers of whom one name alone was found, the full name, when others name just one person in full who may be the
 * one and is no other speaker. In a noisy transcript these must tell an office, too: its surnames are not to be trusted.
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
