import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type KnownName, type Reading, type Span, nameAt } from './reading.js';
import { type Mention, isOffice, mentionOf } from './mentions.js';
import type { Turn } from './turns.js';

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
