import type { SpeakerId } from '../kernel/ids.js';
import { foldedText } from './folded-words.js';
import { nameKey, type NameVerdict } from './name-verdict.js';

/** A verdict on a name, and whose. */
export interface Judged {
  readonly speaker_id: SpeakerId;
  readonly verdict: NameVerdict;
}

/** What is said of each: for a name the speakers that it is given to, for a speaker the names. */
const grouped = <Key, Value>(pairs: readonly (readonly [Key, Value])[]): ReadonlyMap<Key, ReadonlySet<Value>> => {
  const groups = new Map<Key, Set<Value>>();
  for (const [key, value] of pairs) groups.set(key, (groups.get(key) ?? new Set()).add(value));
  return groups;
};

const isPartOf = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((word) => all.has(word));

/** `Ada` and `Ada Lovelace` may be one person; `Ada Lovelace` and `Ada Byron` are not called one thing. */
const mayBeOnePerson = (names: ReadonlySet<string>): boolean => {
  const [longest, ...shorter] = [...names]
    .map((name) => new Set(name.split(' ')))
    .sort((one, other) => other.size - one.size);
  return longest === undefined || shorter.every((name) => isPartOf(name, longest));
};

/**
 * Of the names of one call that stand by themselves, those fall that cannot stand together: one name for two speakers,
 * and two names for one speaker.
 */
export const withoutConflicts = (judged: readonly Judged[]): readonly NameVerdict[] => {
  const accepted = judged.flatMap(({ speaker_id, verdict }) => ('name' in verdict ? [{ speaker_id, ...verdict }] : []));
  const speakersOf = grouped(accepted.map(({ name, speaker_id }) => [nameKey(name), speaker_id]));
  const namesOf = grouped(accepted.map(({ name, speaker_id }) => [speaker_id, foldedText(name)]));
  const inConflict = new Set([...namesOf].flatMap(([id, names]) => (mayBeOnePerson(names) ? [] : [id])));
  return judged.map(({ speaker_id, verdict }) =>
    'name' in verdict && (inConflict.has(speaker_id) || (speakersOf.get(nameKey(verdict.name))?.size ?? 0) > 1)
      ? { reason: 'conflicting_evidence' }
      : verdict,
  );
};
