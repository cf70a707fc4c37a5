import type { SpeakerId } from '../../../domain/kernel/ids.js';
import type { KnownName } from './reading.js';
import type { SameName } from './full-names.js';
import type { Mention } from './mentions.js';

/** Groups items by key, in the order in which keys first occur. */
export const grouped = <Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> => {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
};

/** The minimal weight of a name, and the factors by which it must exceed the speaker's other names and other speakers' claims. */
const [minWeight, overOwn, overOthers] = [2.3, 1.7, 1.3];
/** The share of its weight that a single unknown word keeps, after strong cues and after others. */
const [sureShare, unsureShare] = [0.5, 0.3];
/** The weight from which a name is certain and rules out contradicting mentions. */
const sureWeight = 4;
/** The bonus that ranks a name of several words above a single word. */
const fullNameBonus = 100;

/** Knowledge about names besides the mentions. */
interface Knowledge {
  readonly isKnown: KnownName;
  readonly sameName: SameName;
}

const key = (words: readonly string[]): string => words.join(' ').toLowerCase();
const weightOf = (mentions: readonly Mention[]): number => mentions.reduce((sum, { weight }) => sum + weight, 0);

/** Single words that several people use for one speaker. */
const agreedWords = (mentions: readonly Mention[]): ReadonlySet<string> => {
  const lone = mentions.filter(({ words }) => words.length === 1);
  const groups = grouped(lone, ({ speaker, words }) => `${speaker} ${key(words)}`);
  return new Set([...groups].flatMap(([name, all]) => (new Set(all.map(({ by }) => by)).size > 1 ? [name] : [])));
};

/**
 * Reduces the weight of single words that are not known first names, unless they have a title, are part of a longer name
 * elsewhere, or are used by several people.
 */
const discounted = (mentions: readonly Mention[], isKnown: KnownName): readonly Mention[] => {
  const agreed = agreedWords(mentions);
  const parts = new Set(mentions.flatMap(({ words }) => (words.length > 1 ? key(words).split(' ') : [])));
  return mentions.map((mention) => {
    const [first = '', second] = mention.words;
    const isAgreed = agreed.has(`${mention.speaker} ${key(mention.words)}`) || parts.has(first.toLowerCase());
    const isSure = mention.titled || second !== undefined || isKnown(first) || isAgreed;
    const share = mention.weight >= sureWeight ? sureShare : unsureShare;
    return isSure ? mention : { ...mention, weight: mention.weight * share };
  });
};

/** Whether two mentions may be surname and first name: "Mr. Fox" and "Reynard", but not "Mr. Fox" and "Mr. Wolf". */
const mayBeSurnameAndName = (one: Mention, other: Mention, isKnown: KnownName): boolean =>
  one.words.length === 1 && other.words.length === 1 && one.titled && !other.titled && isKnown(other.words[0] ?? '');

const agree = (one: Mention, other: Mention, { sameName, isKnown }: Knowledge): boolean =>
  sameName(one.words, other.words) ||
  mayBeSurnameAndName(one, other, isKnown) ||
  mayBeSurnameAndName(other, one, isKnown);

/** With more names a speaker's name is ambiguous anyway, and comparing them would be slow. */
const maxForms = 300;

/**
 * The mentions that agree with the speaker's strongest name, and the weight of the second strongest; null if there are too
 * many names.
 */
const strongest = (own: readonly Mention[], knowledge: Knowledge) => {
  const forms = [...new Map(own.map((mention) => [key(mention.words), mention])).values()];
  if (forms.length > maxForms) return null;
  const longest = forms.filter(
    (form) =>
      !forms.some((other) => other.words.length > form.words.length && knowledge.sameName(form.words, other.words)),
  );
  const claims = longest.map((form) => own.filter((mention) => agree(mention, form, knowledge)));
  const best = claims.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one), []);
  const chosen = new Set(best);
  const others = claims.map((claim) => weightOf(claim.filter((mention) => !chosen.has(mention))));
  return { best, second: Math.max(0, ...others) };
};

const rank = (form: readonly Mention[]): number =>
  weightOf(form) + ((form[0]?.words.length ?? 0) > 1 ? fullNameBonus : 0);

/** The form of a name with the most weight; full names before single words. */
const bestForm = (mentions: readonly Mention[]): readonly Mention[] => {
  const forms = [...grouped(mentions, ({ words }) => key(words)).values()];
  return forms.reduce<readonly Mention[]>(
    (one, other) => (one.length > 0 && rank(one) >= rank(other) ? one : other),
    [],
  );
};

/** One form of a name and its weight for each speaker. */
interface Form {
  readonly words: readonly string[];
  readonly weights: ReadonlyMap<SpeakerId, number>;
}

const weightsOf = (mentions: readonly Mention[]): Form['weights'] =>
  new Map([...grouped(mentions, ({ speaker }) => speaker)].map(([speaker, own]) => [speaker, weightOf(own)]));

/** The largest weight of a name for any other speaker, in this form or a longer one. */
const rivalWeights = (mentions: readonly Mention[], { sameName }: Knowledge) => {
  const forms = [...grouped(mentions, ({ words }) => key(words)).values()].map((alike): Form => ({
    words: alike[0]?.words ?? [],
    weights: weightsOf(alike),
  }));
  const known = new Map<string, Form['weights']>();
  const weightsFor = (words: readonly string[]): Form['weights'] => {
    const sums = new Map<SpeakerId, number>();
    for (const form of forms)
      if (form.words.length >= words.length && sameName(words, form.words))
        for (const [speaker, weight] of form.weights) sums.set(speaker, (sums.get(speaker) ?? 0) + weight);
    return sums;
  };
  return (speaker: SpeakerId, words: readonly string[]): number => {
    const weights = known.get(key(words)) ?? weightsFor(words);
    known.set(key(words), weights);
    return [...weights].reduce((most, [other, weight]) => (other === speaker ? most : Math.max(most, weight)), 0);
  };
};

/** The best evidence for each speaker whose name is certain; nothing for the others. */
const weigh = (mentions: readonly Mention[], knowledge: Knowledge): ReadonlyMap<SpeakerId, Mention> => {
  const rivalWeight = rivalWeights(mentions, knowledge);
  const saidBy = grouped(mentions, ({ by }) => by);
  const found = new Map<SpeakerId, Mention>();
  for (const [speaker, own] of grouped(mentions, (mention) => mention.speaker)) {
    const strong = strongest(own, knowledge);
    if (strong === null) continue;
    const { best, second } = strong;
    const form = bestForm(best);
    const words = form[0]?.words ?? [];
    const ofOthers = (saidBy.get(speaker) ?? []).filter(
      (one) => one.speaker !== speaker && knowledge.sameName(one.words, words),
    );
    const weight = weightOf(best) - weightOf(ofOthers);
    const isClear = weight >= overOwn * second && weight >= overOthers * rivalWeight(speaker, words);
    const evidence = form.reduce<Mention | null>(
      (one, other) => (one !== null && one.weight >= other.weight ? one : other),
      null,
    );
    if (weight >= minWeight && isClear && evidence !== null) found.set(speaker, evidence);
  }
  return found;
};

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
  const bySpeaker = grouped(mentions, ({ speaker }) => speaker);
  const sure = new Map(
    [...found].filter(
      ([speaker, name]) =>
        weightOf((bySpeaker.get(speaker) ?? []).filter(({ words }) => sameName(words, name.words))) >= sureWeight,
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
