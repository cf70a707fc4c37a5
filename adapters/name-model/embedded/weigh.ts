import type { SpeakerId } from '../../../domain/kernel/ids.js';
import type { Mention } from './mention.js';
import type { KnownName } from './names.js';
import type { SameName } from './same-name.js';

/** Least weight of a name, how far it must outweigh a speaker's other names, and others' claims to it. */
const [least, overOwn, overOthers] = [2.3, 1.7, 1.3];
/** How much of its weight a lone unknown word keeps, after sure words and after others. */
const [sureShare, unsureShare, sureWeight] = [0.7, 0.3, 4];

interface Claim {
  readonly weight: number;
  readonly mentions: readonly Mention[];
}

const key = (words: readonly string[]): string => words.join(' ').toLowerCase();
const keysOf = (words: readonly string[]): readonly string[] => words.map((word) => word.toLowerCase());

const weightOf = (mentions: readonly Mention[]): number => mentions.reduce((sum, { weight }) => sum + weight, 0);

/** The mentions by the longest names that they agree with. */
const claimsOf = (mentions: readonly Mention[], agree: SameName): readonly Claim[] => {
  const forms = [...new Map(mentions.map((mention) => [key(mention.words), mention.words])).values()];
  const longest = forms.filter((form) => !forms.some((other) => other.length > form.length && agree(form, other)));
  return longest
    .map((form) => mentions.filter(({ words }) => agree(words, form)))
    .map((agreeing) => ({ weight: weightOf(agreeing), mentions: agreeing }))
    .sort((one, other) => other.weight - one.weight);
};

/** The form of a name that is said with most weight, a fuller one before a shorter. */
const bestForm = (mentions: readonly Mention[]): readonly Mention[] => {
  const forms = new Map<string, Mention[]>();
  for (const mention of mentions) forms.set(key(mention.words), [...(forms.get(key(mention.words)) ?? []), mention]);
  const rank = (form: readonly Mention[]): number => weightOf(form) + ((form[0]?.words.length ?? 0) > 1 ? 100 : 0);
  return [...forms.values()].sort((one, other) => rank(other) - rank(one))[0] ?? [];
};

/** A lone word that nobody knows for a first name says less, unless it has been said as part of a name. */
const discounted = (mentions: readonly Mention[], isKnown: KnownName): readonly Mention[] => {
  const parts = new Set(mentions.flatMap(({ words }) => (words.length > 1 ? keysOf(words) : [])));
  return mentions.map((mention) => {
    const [first = '', second] = mention.words;
    const isSure = mention.titled || second !== undefined || isKnown(first) || parts.has(first.toLowerCase());
    const share = mention.weight >= sureWeight ? sureShare : unsureShare;
    return isSure ? mention : { ...mention, weight: mention.weight * share };
  });
};

/** The best evidence for each speaker whose name is beyond doubt; nothing for the others. */
export const weigh = (
  all: readonly Mention[],
  isKnown: KnownName,
  agree: SameName,
): ReadonlyMap<SpeakerId, Mention> => {
  const mentions = discounted(all, isKnown);
  const speakers = [...new Set(mentions.map(({ speaker }) => speaker))];
  const found = new Map<SpeakerId, Mention>();
  for (const speaker of speakers) {
    const [best, second] = claimsOf(
      mentions.filter((mention) => mention.speaker === speaker),
      agree,
    );
    if (best === undefined) continue;
    const form = bestForm(best.mentions);
    const words = form[0]?.words ?? [];
    const against = weightOf(
      mentions.filter((one) => one.by === speaker && one.speaker !== speaker && agree(one.words, words)),
    );
    const others = speakers.filter((other) => other !== speaker);
    const rival = Math.max(
      0,
      ...others.map((other) =>
        weightOf(
          mentions.filter(
            (one) => one.speaker === other && one.words.length >= words.length && agree(words, one.words),
          ),
        ),
      ),
    );
    const weight = best.weight - against;
    if (weight < least || weight < overOwn * (second?.weight ?? 0) || weight < overOthers * rival) continue;
    const [evidence] = [...form].sort((one, other) => other.weight - one.weight);
    if (evidence !== undefined) found.set(speaker, evidence);
  }
  return found;
};
