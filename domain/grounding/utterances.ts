import type { Utterance } from '../audio/speech.js';
import type { SpeakerId } from '../kernel/ids.js';
import type { QuotePosition } from './evidence-pattern.js';
import { wordFinder, foldedWords } from './folded-words.js';
import type { QuoteLocation } from './result-row.js';

/** An utterance that may be evidence: its normalized words, and the speakers of the previous and next turn. */
export interface SpokenUtterance {
  readonly utterance: Utterance;
  readonly index: number;
  readonly words: readonly string[];
  readonly before: SpeakerId | null;
  readonly after: SpeakerId | null;
}

/** A quote found in an utterance, as spelled in the transcript. */
export interface QuoteMatch {
  readonly heard: SpokenUtterance;
  readonly quote: string;
}

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
    const words = synthetic.has(utterance.speaker_id) ? [] : foldedWords(utterance.text).map(({ word }) => kept(word));
    return words.length === 0 ? [] : [{ utterance, index, words }];
  });
  const before = turnsBefore(said);
  const after = turnsBefore(said.toReversed()).toReversed();
  return said.map((one, at) => ({ ...one, before: before[at] ?? null, after: after[at] ?? null }));
};

/** All utterances that contain the complete quote word for word, in chronological order. */
export const findQuote = (quote: string, heard: readonly SpokenUtterance[]): readonly QuoteMatch[] => {
  const wanted = foldedWords(quote).map(({ word }) => word);
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
export const quotePosition = ({ utterance, before, after }: SpokenUtterance, speaker: SpeakerId): QuotePosition => {
  if (utterance.speaker_id === speaker) return 'own_words';
  return before === speaker || after === speaker ? 'next_turn' : 'elsewhere';
};

export const locationOf = ({ index, utterance: { start, end } }: SpokenUtterance): QuoteLocation => ({
  index,
  start,
  end,
});
