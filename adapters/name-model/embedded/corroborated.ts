import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped } from './grouped.js';
import type { Mention } from './mention.js';
import { isSameWord } from './same-name.js';

const shareWord = (one: Mention, other: Mention): boolean =>
  one.words.some((word) => other.words.some((another) => isSameWord(word.toLowerCase(), another.toLowerCase())));

/** Whether one passage alone speaks for a name: an address, or an announcement beside which others say other names. */
const isDoubtful = (name: Mention, own: readonly Mention[]): boolean => {
  const [agreeing, others] = [own.filter((one) => shareWord(one, name)), own.filter((one) => !shareWord(one, name))];
  if (new Set(agreeing.map(({ utterance }) => utterance)).size > 1) return false;
  return name.pattern === 'addressed_by_other' || (name.pattern === 'introduced_by_other' && others.length > 0);
};

/**
 * The names of a noisy transcript that are heard well enough. What is said to somebody once may sound like many names,
 * and so may an announcement that nothing said afterwards bears out.
 */
export const corroborated = (
  found: ReadonlyMap<SpeakerId, Mention>,
  mentions: readonly Mention[],
): ReadonlyMap<SpeakerId, Mention> => {
  const said = grouped(mentions, ({ speaker }) => speaker);
  return new Map([...found].filter(([speaker, name]) => !isDoubtful(name, said.get(speaker) ?? [])));
};
