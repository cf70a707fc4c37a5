import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped } from './grouped.js';
import type { Mention } from './mention.js';
import { discounted, type Knowledge, weigh, weightOf } from './weigh.js';

/** The weight from which a name is certain and rules out contradicting mentions. */
const sureWeight = 4;
const maxRounds = 4;

/**
 * The mentions that do not contradict certain names: other speakers do not have a certain name, and a speaker with a
 * certain name has no other name.
 */
const consistentMentions = (
  mentions: readonly Mention[],
  found: ReadonlyMap<SpeakerId, Mention>,
  { sameName }: Knowledge,
): readonly Mention[] => {
  const said = grouped(mentions, ({ speaker }) => speaker);
  const sure = new Map(
    [...found].filter(
      ([speaker, name]) =>
        weightOf((said.get(speaker) ?? []).filter(({ words }) => sameName(words, name.words))) >= sureWeight,
    ),
  );
  const names = [...sure.values()];
  return mentions.filter(({ speaker, words }) => {
    const own = sure.get(speaker);
    return own === undefined ? !names.some((name) => sameName(words, name.words)) : sameName(words, own.words);
  });
};

/**
 * The best evidence for each speaker whose name is certain. Names that become certain once others are known are found in
 * further rounds.
 */
export const weighInRounds = (all: readonly Mention[], knowledge: Knowledge): ReadonlyMap<SpeakerId, Mention> => {
  const mentions = discounted(all, knowledge.isKnown);
  let found = weigh(mentions, knowledge);
  const called = new Set(mentions.map(({ speaker }) => speaker)).size;
  for (let round = 1; round < maxRounds && found.size < called; round += 1) {
    const more = [...weigh(consistentMentions(mentions, found, knowledge), knowledge)].filter(([id]) => !found.has(id));
    if (more.length === 0) break;
    found = new Map([...found, ...more]);
  }
  return found;
};
