import type { RecordedSpeaker, Utterance } from '../audio/events.js';
import type { SpeakerId, VideoId } from '../kernel/ids.js';
import { isRealName, isBlank } from '../kernel/names.js';
import type { Proposal } from './proposal.js';
import {
  type ResultRow,
  type QuoteLocation,
  type RoleReason,
  type NameReason,
  type EvidencePattern,
  type QuotePosition,
  patternAt,
  readPattern,
} from './result-row.js';
import { foldedText, wordFinder, foldedWords, replaceLookalikes } from './folded-words.js';
import * as E from 'fp-ts/lib/Either.js';
import { SpeakerRole } from '../kernel/media.js';
import { isPersonName, tidyName } from './person-name.js';

/** An utterance that may be evidence: its normalized words, and the speakers of the previous and next turn. */
interface SpokenUtterance {
  readonly utterance: Utterance;
  readonly index: number;
  readonly words: readonly string[];
  readonly before: SpeakerId | null;
  readonly after: SpeakerId | null;
}

/** A quote found in an utterance, as spelled in the transcript. */
interface QuoteMatch {
  readonly heard: SpokenUtterance;
  readonly quote: string;
}

const wordsOf = (text: string): readonly string[] => foldedWords(text).map(({ word }) => word);

type Said = Omit<SpokenUtterance, 'before' | 'after'>;

/** The speaker of the previous turn for each utterance. */
const turnsBefore = (said: readonly Said[]): readonly (SpeakerId | null)[] => {
  let before: SpeakerId | null = null;
  let current: SpeakerId | null = null;
  return said.map(({ utterance: { speaker_id } }) => {
    if (speaker_id !== current) [before, current] = [current, speaker_id];
    return before;
  });
};

/** Interns words, because long transcripts contain millions. */
const keptOnce = (): ((word: string) => string) => {
  const known = new Map<string, string>();
  return (word) => {
    const same = known.get(word);
    if (same === undefined) known.set(word, word);
    return same ?? word;
  };
};

/** The utterances that count as evidence: without empty ones and those of synthetic tracks. */
export const spokenUtterances = (
  transcript: readonly Utterance[],
  synthetic: ReadonlySet<SpeakerId>,
): readonly SpokenUtterance[] => {
  const kept = keptOnce();
  const said = transcript.flatMap((utterance, index): readonly Said[] => {
    const words = synthetic.has(utterance.speaker_id) ? [] : wordsOf(utterance.text).map(kept);
    return words.length === 0 ? [] : [{ utterance, index, words }];
  });
  const before = turnsBefore(said);
  const after = turnsBefore(said.toReversed()).toReversed();
  return said.map((one, at) => ({ ...one, before: before[at] ?? null, after: after[at] ?? null }));
};

/** All utterances that contain the complete quote word for word, in chronological order. */
export const findQuote = (quote: string, heard: readonly SpokenUtterance[]): readonly QuoteMatch[] => {
  const wanted = wordsOf(quote);
  const find = wordFinder(wanted);
  return heard.flatMap((one) => {
    const at = find(one.words);
    if (at === null) return [];
    const folded = foldedWords(one.utterance.text);
    const [first, last] = [folded[at], folded[at + wanted.length - 1]];
    if (first === undefined || last === undefined) return [];
    const asGiven = one.utterance.text.includes(quote);
    return [{ heard: one, quote: asGiven ? quote : one.utterance.text.slice(first.start, last.end) }];
  });
};

/** Position of an utterance relative to the speaker to be named. */
const quotePosition = ({ utterance, before, after }: SpokenUtterance, speaker: SpeakerId): QuotePosition => {
  if (utterance.speaker_id === speaker) return 'own_words';
  return before === speaker || after === speaker ? 'next_turn' : 'elsewhere';
};

const locationOf = ({ index, utterance: { start, end } }: SpokenUtterance): QuoteLocation => ({
  index,
  start,
  end,
});

type NameVerdict =
  | {
      readonly name: string;
      readonly quote: string;
      readonly pattern: EvidencePattern;
      readonly quote_location: QuoteLocation;
    }
  | { readonly reason: NameReason };

/** A key that is equal for names that look the same. */
const nameKey = (name: string): string => replaceLookalikes(foldedText(name));

/** Whether the quote contains the words of the name; `Anna's` contains `Anna`. */
const isIn = (name: string, quote: string): boolean => {
  const find = wordFinder(wordsOf(name));
  return [quote, quote.replace(/['’‘ʼ＇]s(?!\p{L})/giu, ' s')].some((text) => find(wordsOf(text)) !== null);
};

interface Attribution {
  readonly passage: QuoteMatch;
  readonly pattern: EvidencePattern;
}

/** The first passage whose position fits the pattern. Without a known pattern, it is derived from the position. */
const attribute = (
  passages: readonly QuoteMatch[],
  speaker: SpeakerId,
  given: EvidencePattern | null,
): Attribution | null => {
  for (const passage of passages) {
    const pattern = patternAt(quotePosition(passage.heard, speaker), given);
    if (pattern !== null) return { passage, pattern };
  }
  return null;
};

/** Checks one proposed name by itself. `isTaken`: whether another speaker has the name. */
const judgeName = (
  proposal: Proposal,
  heard: readonly SpokenUtterance[],
  isTaken: (name: string) => boolean,
): NameVerdict => {
  const { speaker_id, name: proposed, quote = '' } = proposal;
  if (proposed === undefined || isBlank(proposed)) return { reason: 'no_proposal' };
  const name = tidyName(proposed);
  const passages = findQuote(quote.trim(), heard);
  if (passages.length === 0) return { reason: 'quote_not_found' };
  if (!isIn(name, quote)) return { reason: 'name_not_in_quote' };
  const attribution = attribute(passages, speaker_id, readPattern(proposal.pattern));
  if (attribution === null) return { reason: 'wrong_speaker' };
  if (!isPersonName(name)) return { reason: 'not_a_person_name' };
  if (isTaken(name)) return { reason: 'duplicate_name' };
  const { passage, pattern } = attribution;
  return { name, quote: passage.quote, pattern, quote_location: locationOf(passage.heard) };
};

type RoleVerdict =
  | {
      readonly role_accepted: true;
      readonly role: SpeakerRole;
      readonly role_quote: string;
      readonly role_quote_location: QuoteLocation;
    }
  | { readonly role_accepted: false; readonly role_reason: RoleReason };

const rejected = (role_reason: RoleReason): RoleVerdict => ({ role_accepted: false, role_reason });

/** Checks a proposed role independently of the name: the quote must be the speaker's own words. */
const judgeRole = (proposal: Proposal, stored: SpeakerRole | null, heard: readonly SpokenUtterance[]): RoleVerdict => {
  if (stored !== null) return rejected('role_already_set');
  const role = SpeakerRole.decode((proposal.role ?? '').trim().toLowerCase());
  if (E.isLeft(role)) return rejected('no_role_proposal');
  const passages = findQuote((proposal.role_quote ?? '').trim(), heard);
  const own = passages.find((passage) => passage.heard.utterance.speaker_id === proposal.speaker_id);
  if (own === undefined) return rejected(passages.length === 0 ? 'role_quote_not_found' : 'role_wrong_speaker');
  return {
    role_accepted: true,
    role: role.right,
    role_quote: own.quote,
    role_quote_location: locationOf(own.heard),
  };
};

/** A verdict on a name proposed for a speaker. */
interface Judged {
  readonly speaker_id: SpeakerId;
  readonly verdict: NameVerdict;
}

/** Groups values by key. */
const grouped = <Key, Value>(pairs: readonly (readonly [Key, Value])[]): ReadonlyMap<Key, ReadonlySet<Value>> => {
  const groups = new Map<Key, Set<Value>>();
  for (const [key, value] of pairs) groups.set(key, (groups.get(key) ?? new Set()).add(value));
  return groups;
};

const isPartOf = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((word) => all.has(word));

/** Whether names may belong to one person: `Ada` and `Ada Lovelace` may, `Ada Lovelace` and `Ada Byron` may not. */
const mayBeOnePerson = (names: ReadonlySet<string>): boolean => {
  const [longest, ...shorter] = [...names]
    .map((name) => new Set(name.split(' ')))
    .sort((one, other) => other.size - one.size);
  return longest === undefined || shorter.every((name) => isPartOf(name, longest));
};

/** Rejects accepted names that contradict each other: one name for two speakers, or two names for one speaker. */
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

export interface Grounding {
  /** The parent video; null for audio-only media. */
  readonly video_id: VideoId | null;
  /** In chronological order. */
  readonly transcript: readonly Utterance[];
  /** All speakers of the audio, as stored. */
  readonly speakers: readonly Pick<RecordedSpeaker, 'speaker_id' | 'name' | 'role' | 'synthetic'>[];
  readonly target_speaker_ids: readonly SpeakerId[];
  readonly infer_roles: boolean;
  readonly proposals: readonly Proposal[];
}

/** Proposals for target speakers in the model's order, and an empty one for each target without any. */
const proposalsForTargets = ({ target_speaker_ids, proposals }: Grounding): readonly Proposal[] => {
  const targets = new Set(target_speaker_ids);
  const wanted = proposals.filter(({ speaker_id }) => targets.has(speaker_id));
  const answered = new Set(wanted.map(({ speaker_id }) => speaker_id));
  return [...wanted, ...[...targets].filter((id) => !answered.has(id)).map((speaker_id) => ({ speaker_id }))];
};

/**
 * Checks a model's answer against the transcript: one row per proposal for a target, and one per target without any.
 * The rules are the same for every model, and nothing in the transcript or the answer can change them.
 */
export const ground = (question: Grounding): readonly ResultRow[] => {
  const { video_id, transcript, speakers, infer_roles } = question;
  const synthetic = new Set(speakers.filter((speaker) => speaker.synthetic).map(({ speaker_id }) => speaker_id));
  const heard = spokenUtterances(transcript, synthetic);
  const roles = new Map(speakers.map(({ speaker_id, role }) => [speaker_id, role]));
  const bearers = grouped(
    speakers.flatMap(({ speaker_id, name }) => (isRealName(name) ? [[nameKey(name), speaker_id] as const] : [])),
  );
  const proposals = proposalsForTargets(question);
  const names = withoutConflicts(
    proposals.map((proposal) => {
      const isTaken = (name: string): boolean =>
        [...(bearers.get(nameKey(name)) ?? [])].some((speaker_id) => speaker_id !== proposal.speaker_id);
      return { speaker_id: proposal.speaker_id, verdict: judgeName(proposal, heard, isTaken) };
    }),
  );
  return proposals.map((proposal, at) => ({
    speaker_id: proposal.speaker_id,
    video_id,
    ...(names[at] ?? { reason: 'no_proposal' as const }),
    ...(infer_roles ? judgeRole(proposal, roles.get(proposal.speaker_id) ?? null, heard) : {}),
  }));
};
