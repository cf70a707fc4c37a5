import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { grouped } from './grouped.js';
import type { Mention } from './mention.js';
import { discounted, type Knowledge, weigh, weightOf } from './weigh.js';

/** What a name must weigh to explain others' mentions away: words that hardly mean anything else. */
const sureWeight = 4;
const mostRounds = 4;

/**
 * What sure names leave to explain. A name that is surely one speaker's is said to others by a slip of the turns, or of
 * somebody who is elsewhere, and a speaker with a sure name is called nothing else: neither speaks against other names.
 */
const unexplained = (
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
 * The best evidence for each speaker whose name is beyond doubt, of the first names that are found and of those that are
 * beyond doubt once these are known.
 */
export const weighInRounds = (all: readonly Mention[], knowledge: Knowledge): ReadonlyMap<SpeakerId, Mention> => {
  const mentions = discounted(all, knowledge.isKnown);
  let found = weigh(mentions, knowledge);
  const called = new Set(mentions.map(({ speaker }) => speaker)).size;
  for (let round = 1; round < mostRounds && found.size < called; round += 1) {
    const more = [...weigh(unexplained(mentions, found, knowledge), knowledge)].filter(([id]) => !found.has(id));
    if (more.length === 0) break;
    found = new Map([...found, ...more]);
  }
  return found;
};
