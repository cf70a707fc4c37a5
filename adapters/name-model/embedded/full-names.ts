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
    if (isFull && isWithOffice(turn, span)) {
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

/**
 * For speakers of whom a first name alone was found, the full name, when there is just one person in the transcript
 * whom others introduce with an office and who may be the one.
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
      if (mention.words.length > 1 || mention.titled) return [speaker, mention];
      const fitting = full.filter(
        ({ words, by }) => by !== speaker && isSameFirst(words[0] ?? '', mention.words[0] ?? ''),
      );
      const [name] = fitting;
      const isOne = name !== undefined && fitting.every(({ words }) => sameName(words, name.words));
      const isTaken = [...found].some(
        ([other, { words }]) => other !== speaker && name !== undefined && sameName(words, name.words),
      );
      if (name === undefined || !isOne || isTaken) return [speaker, mention];
      return [speaker, { ...name, speaker, pattern: 'third_party_mention', weight: mention.weight }];
    }),
  );
};
