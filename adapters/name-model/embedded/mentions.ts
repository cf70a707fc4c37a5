import { type Turn, tokenAt, wordsBefore } from './turns.js';
import type { EvidencePattern } from '../../../domain/grounding/result-row.js';
import type { SpeakerId } from '../../../domain/kernel/ids.js';
import { type Reading, type Span, nameAt, nameBefore } from './reading.js';
import { offices, openers, titles } from './vocabulary.js';

/** Words before or after which a name is said, and the weight of this evidence. */
export interface Cue {
  readonly words: RegExp;
  readonly weight: number;
}

/** A cue for words that are an expression. */
const cue = (words: string, weight: number): Cue => ({ words: new RegExp(`\\b(?:${words}) `, 'g'), weight });

/** A table of cues: a line for each, with its weight and its words. */
const cuesIn = (table: string): readonly Cue[] =>
  [...table.matchAll(/^([\d.]+) +(.+)$/gm)].map(([, weight, words = '']) => cue(words, Number(weight)));

const small =
  '(?:(?:is|are|was|will|be|come|comes|came|coming|goes|go|going|has|been|today|now|here|this|morning|be) ){0,6}';

/** Cues before the name of the person who gets the floor; also with a misrecognised preposition: `comes form`, `comes off`. */
const handsOverTo = cuesIn(String.raw`
4   (?:questions?|question-and-answer|one|caller|set of questions) ${small}(?:from|with|(?<=\b(?:go|goes|going|is|be) )to)(?: the)?(?: (?:line|lines|site|side)(?: of)?)?
4   (?:question|caller)s? (?:now |will )?(?:comes?|coming) [a-z]{2,4}(?: (?:a|the))?(?: (?:line|site)(?: off?)?)?
4   (?:turn|hand|pass|throw|give|send|transfer|hands?|kick)(?: (?:it|things?|this|that|the|call|conference|floor|program|presentation|meeting|time|back|over|now|today's|mic|microphone|podium)){0,6} to
3   (?:now|it|call|conference|floor|things|go|going|move|switch|turn|that|this|you|straight|right) (?:over|back) to
3   (?:we|we'll|well|let's|lets|us|i'll|ill|i|can|will|now|next|are|is|we're|have to)(?: (?:now|next|then|just|all|move|again|also)){0,6} (?:go|goes|move|moving|proceed|return|returning|going|turn)(?: (?:on|now|back|next|over|straight|then|out)){0,6} to
2.5 (?:now|next|back|returning|going|moving on|continuing)(?: over)? to
3   (?:continue|continuing|start|begin|starting|resume)(?: \w+)? with
3   (?:introduce|call on|call upon|hear from|bring in|recognize|recognise|floor is given to|invite)
2.5 (?:welcome|next is|next up is|up next is|first is|presenter is|presenter today is|speaker is|goes to)
4   (?:line of|site of)
2   (?:question|questions) for
`);

/** Cues after the name of the person who gets the floor. */
const goesAhead = cuesIn(String.raw`
3.5 (?:please )?(?:go ahead|proceed|begin|go on)
2.5 (?:you had|you wanted|you have a|you have some|you've got a|wants to|wanted to)
4   (?:now )?(?:you have|has|you now have|now has|you've got) (?:the floor|about)
4   (?:the floor is yours|your line is|your question please|the line is yours|you may|over to you)
3   (?:you're|you are) (?:up|next|live|on|now live)
3   has (?:got )?(?:a|some|the|another)?(?: \w+)? ?questions?
2   (?:please|do you|did you|would you|can you|could you|any comments|any thoughts|will you)
`);

/** The token indices at which a cue ends. */
const cueEnds = (turn: Turn, { words }: Cue): readonly number[] =>
  Array.from(turn.joined.matchAll(words), ({ 0: found, index }) => tokenAt(turn, index + found.length));

/** The token indices at which a cue begins. */
const cueStarts = (turn: Turn, { words }: Cue): readonly number[] =>
  Array.from(turn.joined.matchAll(words), ({ index }) => tokenAt(turn, index));

/** Whether a name is directly followed by these words. */
const isFollowedBy = (turn: Turn, span: Span, words: RegExp): boolean =>
  words.test(turn.joined.slice(turn.offsets[span.to] ?? turn.joined.length, (turn.offsets[span.to] ?? 0) + 40));

/** One piece of evidence that a speaker has a name. */
export interface Mention {
  readonly speaker: SpeakerId;
  readonly by: SpeakerId;
  readonly words: readonly string[];
  /** Whether a title was said before the name. */
  readonly titled: boolean;
  readonly pattern: EvidencePattern;
  /** The weight of the evidence; about 4 for words that are hardly ambiguous. */
  readonly weight: number;
  /** The quote: the index of the utterance, and the range of characters in it. */
  readonly utterance: number;
  readonly start: number;
  readonly end: number;
}

const [quotedBefore, quotedAfter] = [12, 8];

/** The quote around a name: some words of the same sentence. */
const quoteAround = ({ tokens }: Turn, span: Span): { start: number; end: number; utterance: number } => {
  const utterance = tokens[span.from]?.utterance ?? 0;
  let [from, to] = [span.from, span.to];
  const isInside = (at: number): boolean => tokens[at]?.utterance === utterance;
  while (span.from - from < quotedBefore && isInside(from - 1) && tokens[from - 1]?.ends === false) from -= 1;
  while (to - span.to < quotedAfter && isInside(to) && tokens[to - 1]?.ends === false) to += 1;
  return { utterance, start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 };
};

/** Creates a mention for a name in a turn. */
export const mentionOf = (
  turn: Turn,
  span: Span,
  evidence: Pick<Mention, 'speaker' | 'pattern' | 'weight'>,
): Mention => ({ ...evidence, by: turn.speaker, words: span.words, titled: span.titled, ...quoteAround(turn, span) });

/** How many words at the start of a turn may address somebody. */
const maxOpening = 14;
const pattern = 'addressed_by_other';

/** Whether the first word is a known first name in its spelling; without capitals fewer words are. */
const isKnownAt = (turn: Turn, span: Span | null, { isKnown }: Reading): boolean =>
  span !== null && isKnown(turn.tokens[span.from]?.text ?? '');

/** Without capitals the end of a name is unknown, so only a known first name counts. */
const firstWord = (turn: Turn, span: Span, reading: Reading): Span | null =>
  isKnownAt(turn, span, reading) ? { ...span, to: span.from + 1, words: span.words.slice(0, 1) } : null;

/** The first name in a turn, if only greetings and thanks come before it. */
const openingName = (turn: Turn, reading: Reading): Span | null => {
  for (let at = 0; at < Math.min(maxOpening, turn.tokens.length); at += 1) {
    const span = nameAt(turn, at, reading);
    if (span !== null) return reading.cased ? span : firstWord(turn, span, reading);
    const lower = turn.tokens[at]?.lower ?? '';
    if (!openers.has(lower) && !titles.has(lower)) return null;
  }
  return null;
};

const before = (turn: Turn, span: Span): string => turn.joined.slice(0, turn.offsets[span.from]);

const isAddress = (turn: Turn, span: Span, reading: Reading): boolean => {
  if (span.possessive) return false;
  if (!reading.cased) return true;
  return turn.tokens[span.to - 1]?.stops === true || /(?:thanks|thank you) $/.test(before(turn, span));
};

/** Names at the start of a turn: they address the previous speaker, and sometimes the next one. */
const openingAddresses = (
  turn: Turn,
  previous: SpeakerId,
  next: SpeakerId | null,
  reading: Reading,
): readonly Mention[] => {
  const span = openingName(turn, reading);
  if (span === null || !isAddress(turn, span, reading)) return [];
  const words = before(turn, span);
  if (/thank/.test(words)) return [mentionOf(turn, span, { speaker: previous, pattern, weight: 2.5 })];
  const greets = /\b(?:hi|hey|hello|morning|afternoon|evening) /.test(words);
  const isBare = words.trim() === '';
  const to = mentionOf(turn, span, { speaker: previous, pattern, weight: greets ? 1 : isBare ? 0.8 : 1.5 });
  return next === null || next === previous || !(greets || isBare) ? [to] : [to, { ...to, speaker: next, weight: 0.8 }];
};

/** Thanks at the end of a turn: they address the previous speaker. */
const closingAddresses = (turn: Turn, previous: SpeakerId, reading: Reading): readonly Mention[] => {
  const span = nameBefore(turn, turn.tokens.length, reading);
  if (span === null || !/(?:thanks|thank you)(?: (?:very|so) much)? $/.test(before(turn, span))) return [];
  if (!reading.cased && (span.words.length > 2 || !isKnownAt(turn, span, reading))) return [];
  return [mentionOf(turn, span, { speaker: previous, pattern, weight: 1.5 })];
};

/** Names with which a turn addresses the previous or the next speaker. */
export const addresses = (
  turn: Turn,
  previous: SpeakerId,
  next: SpeakerId | null,
  reading: Reading,
): readonly Mention[] => {
  const first = openingAddresses(turn, previous, next, reading);
  const last = closingAddresses(turn, previous, reading).filter(({ end }) => first.every((other) => other.end !== end));
  return [...first, ...last];
};

/** How far from the end of a turn a hand-over may be, and how far a name may be from its cue; in words. */
const [closing, announced] = [70, 16];
const [earlierShare, distant, distantShare] = [0.4, 30, 0.6];

/** Whether a word is one for an office. */
export const isOffice = (turn: Turn, at: number): boolean => offices.has(turn.tokens[at]?.lower ?? '');

/** Whether a name is a company: a single word before an office, as in "Acme chief executive". */
const isEmployer = (turn: Turn, span: Span): boolean =>
  span.words.length === 1 && !span.titled && turn.tokens[span.to - 1]?.stops === false && isOffice(turn, span.to);

const maySkip = (turn: Turn, at: number, { cased }: Reading): boolean => {
  const token = turn.tokens[at];
  if (token === undefined || token.ends) return false;
  if (token.broken) return true;
  return offices.has(token.lower) || titles.has(token.lower) || (cased && /^\p{Ll}|['’]s$|^\p{Lu}+$/u.test(token.text));
};

const relations = /(?:of|with|from|for|at|in|and|on|by|about) $/;

/** Whether a name is a place or an organisation, by the preposition before it. */
const isOrigin = (turn: Turn, span: Span): boolean => {
  const first = span.from - (span.titled ? 1 : 0);
  return !span.titled && turn.tokens[first - 1]?.stops === false && relations.test(wordsBefore(turn, first));
};

/** A later name with a title in the sentence: "the member for Red Deer, Mr. Fox". */
const titledAfter = (turn: Turn, from: number, reading: Reading): Span | null => {
  for (let at = from; at < Math.min(turn.tokens.length, from + announced); at += 1) {
    const span = titles.has(turn.tokens[at]?.lower ?? '') ? nameAt(turn, at, reading) : null;
    if (span?.titled === true) return span;
    if (turn.tokens[at]?.ends === true) return null;
  }
  return null;
};

/** The name after a cue, possibly with offices and employers between. */
const announcedName = (turn: Turn, cueEnd: number, cue: Cue, reading: Reading): Span | null => {
  const titled = titledAfter(turn, cueEnd, reading);
  if (titled !== null) return titled;
  for (let at = cueEnd; at < Math.min(turn.tokens.length, cueEnd + announced); at += 1) {
    const span = nameAt(turn, at, reading);
    const isSure = reading.cased || isKnownAt(turn, span, reading) || (at === cueEnd && cue.weight >= 4);
    const isOwner = span?.possessive === true && (span.words.length === 1 || cue.weight < 4);
    const isOther = isOwner || (span !== null && at > cueEnd && isOrigin(turn, span));
    if (span !== null && isSure && !isOther && !isEmployer(turn, span)) return span;
    if (span === null ? !maySkip(turn, at, reading) : !reading.cased) return null;
    if (turn.tokens[at]?.ends === true) return null;
  }
  return null;
};

/** A name that ends the turn: "Thank you. Suzy Davies." */
const lastWord = (turn: Turn, reading: Reading): Span | null => {
  const span = nameBefore(turn, turn.tokens.length, reading);
  const before = turn.tokens[(span?.from ?? 0) - (span?.titled === true ? 2 : 1)];
  return span !== null && (before === undefined || (reading.cased && before.stops)) ? span : null;
};

const isThanked = (turn: Turn, span: Span): boolean =>
  /(?:thanks|thank you|bye|morning|congratulations)(?: \w+){0,3} $/.test(
    turn.joined.slice(Math.max(0, (turn.offsets[span.from] ?? 0) - 40), turn.offsets[span.from]),
  ) && turn.tokens[span.from - 1]?.ends === false;

const opensOnly = (turn: Turn, span: Span): boolean =>
  turn.tokens.slice(0, span.from).every(({ lower }) => openers.has(lower) || titles.has(lower));

interface Named {
  readonly span: Span;
  readonly weight: number;
}

const announcements = (turn: Turn, from: number, reading: Reading): readonly Named[] =>
  handsOverTo.flatMap((cue) =>
    cueEnds(turn, cue).flatMap((end) => {
      const span = end < from ? null : announcedName(turn, end, cue, reading);
      return span === null ? [] : [{ span, weight: cue.weight }];
    }),
  );

const invitations = (turn: Turn, from: number, reading: Reading): readonly Named[] =>
  goesAhead.flatMap((cue) =>
    cueStarts(turn, cue).flatMap((start) => {
      const span = start <= from ? null : nameBefore(turn, start, reading);
      if (span === null || isOrigin(turn, span)) return [];
      return reading.cased || isKnownAt(turn, span, reading) ? [{ span, weight: cue.weight }] : [];
    }),
  );

/** The name at the end of a turn, unless its sentence has already announced another: "Mr. Fox, Red Deer." */
const farewell = (turn: Turn, others: readonly Named[], reading: Reading): readonly Named[] => {
  const span = lastWord(turn, reading);
  if (span === null || isThanked(turn, span)) return [];
  const sentence = turn.tokens.findLastIndex(({ ends }, at) => ends && at < span.from) + 1;
  if (others.some((other) => other.span.from >= sentence && other.span.from < span.from)) return [];
  const isAlone = span.from - (span.titled ? 1 : 0) <= sentence;
  return [{ span, weight: span.titled || (isAlone && !opensOnly(turn, span)) ? 2.5 : 1.5 }];
};

/** Whether a name follows another one in the same sentence: then it is an employer. */
const isSameSentence = (turn: Turn, one: Span, other: Span): boolean =>
  other.from > one.from && !turn.tokens.slice(one.from, other.from).some(({ ends }) => ends);

/** Names at the end of a turn that give the floor to the next speaker. The last name has the most weight. */
export const handOvers = (turn: Turn, next: SpeakerId, reading: Reading): readonly Mention[] => {
  const from = Math.max(0, turn.tokens.length - closing);
  const announced = announcements(turn, from, reading);
  const isNew = ({ span }: Named): boolean => !announced.some((other) => isSameSentence(turn, other.span, span));
  const cued = [...announced, ...invitations(turn, from, reading).filter(isNew)];
  const all = [...cued, ...farewell(turn, cued, reading)].sort((one, other) => other.weight - one.weight);
  const named = all.filter(
    ({ span }, at) => span.from >= from && all.findIndex((one) => one.span.from === span.from) === at,
  );
  const last = named.reduce<Span | null>((one, { span }) => (one === null || span.from > one.from ? span : one), null);
  return named.map(({ span, weight }) => {
    const isLast = last === null || span.words.some((word) => last.words.includes(word));
    return mentionOf(turn, span, {
      speaker: next,
      pattern: 'introduced_by_other',
      weight: weight * (isLast ? 1 : earlierShare) * (turn.tokens.length - span.to > distant ? distantShare : 1),
    });
  });
};

const opening = 25;
/** Speakers know their own names best: this outweighs what several others call them. */
const named = cue("(?:my name is|my name's|you're speaking with|you are speaking with|my full name is)", 12);
const [presentation, deputy] = [5, 8];
const asHost =
  "(?:i'm|im|i am) (?:your|the|one of your) (?:[a-z]+ )?(?:co-?)?(?:hosts?|moderator|operator|friend)(?: (?:today|tonight|this week))?";
const presents = cue(`${asHost}|(?:this is|i'm|im|i am|it's|it is)(?: actually)?`, 4);
const speaks = cue('(?:here|speaking|signing off|on for|in for|calling|filling in)', 4);
const continuations = /^(?:from|with|of|here|speaking|on for|in for|and i|and i'm|calling|i'm|i am|the|your|again) /;
const standsIn = /^(?:on|in|filling in|here|speaking) for /;
const signsOff = /^(?:signing off|out|over and out) /;
const asked =
  /\b(?:your|the) (?:\w+ )?names?\b|who am i (?:speaking|talking)|(?:with|to) whom am i|who (?:is this|do i have)/;

const isSure = (turn: Turn, span: Span, reading: Reading): boolean =>
  isKnownAt(turn, span, reading) || (reading.cased && span.words.length > 1);

const mention = (turn: Turn, span: Span, weight: number): Mention => {
  const pattern = isFollowedBy(turn, span, signsOff) ? 'sign_off' : 'self_introduction';
  return mentionOf(turn, span, { speaker: turn.speaker, pattern, weight });
};

const byName = (turn: Turn, reading: Reading): readonly Mention[] =>
  cueEnds(turn, named).flatMap((at) => {
    const span = nameAt(turn, at, reading);
    return span === null || span.possessive ? [] : [mention(turn, span, named.weight)];
  });

/** "I am" at the start of a turn, with or without a greeting. */
const opened =
  /^((?:hi|hey|hello|good|morning|afternoon|evening|there|everyone|everybody|all|guys|folks|and|welcome) )*(?:i'm|im|i am|this is) $/;

/** Whether "I'm …" is followed by what a person may also be: "I'm Feeling Lucky", "I'm New York". */
const isState = (turn: Turn, span: Span, reading: Reading): boolean =>
  !isKnownAt(turn, span, reading) && reading.isOrdinary(span.words.join(' '));

/**
 * Whether the name ends what is said. Without capitals it must be a known one at the start of a turn; after a greeting
 * it need not be the end.
 */
const isComplete = (turn: Turn, span: Span, at: number, reading: Reading): boolean => {
  const ends = turn.tokens[span.to - 1]?.stops === true;
  if (reading.cased) return ends;
  const opening = opened.exec(turn.joined.slice(0, turn.offsets[at]));
  return opening !== null && isKnownAt(turn, span, reading) && (ends || opening[1] !== undefined);
};

/** "This is Ada": at the start of a turn, or followed by words that are typical of an introduction. */
const byPresenting = (turn: Turn, reading: Reading): readonly Mention[] =>
  cueEnds(turn, presents).flatMap((at) => {
    const span = nameAt(turn, at, reading);
    if (span === null || span.possessive) return [];
    const isCopula = /^(?:it's|it) (?:is |actually )*$/.test(turn.joined.slice(turn.offsets[at - 2], turn.offsets[at]));
    const isExplained = isFollowedBy(turn, span, continuations);
    const isThis = /this is (?:actually )?$/.test(wordsBefore(turn, at));
    const isUnexplained =
      isCopula || (isThis && !isKnownAt(turn, span, reading)) || !isComplete(turn, span, at, reading);
    if ((isUnexplained && !isExplained) || !isSure(turn, span, reading) || isState(turn, span, reading)) return [];
    const weight = isFollowedBy(turn, span, standsIn) ? deputy : presentation;
    return [mention(turn, span, at <= opening ? weight : weight / 3)];
  });

/** "Ada here", "Ada on for Lena". */
const bySpeaking = (turn: Turn, reading: Reading): readonly Mention[] =>
  cueStarts(turn, speaks).flatMap((at) => {
    const span = at <= opening ? nameBefore(turn, at, reading) : null;
    if (span === null || !isSure(turn, span, reading)) return [];
    const isFirst = turn.tokens.slice(0, span.from).every(({ lower }) => openers.has(lower));
    return isFirst ? [mention(turn, span, speaks.weight)] : [];
  });

/** A name as the answer to a question for the name. */
const byAnswering = (turn: Turn, question: Turn | undefined, reading: Reading): readonly Mention[] => {
  if (question === undefined || !asked.test(question.joined.slice(-160))) return [];
  for (let at = 0; at < Math.min(8, turn.tokens.length); at += 1) {
    const span = nameAt(turn, at, reading);
    const ends = turn.tokens[(span?.to ?? 0) - 1]?.ends === true;
    if (span !== null) return ends || isSure(turn, span, reading) ? [mention(turn, span, 5)] : [];
    const word = turn.tokens[at]?.lower ?? '';
    if (!openers.has(word) && !/^(?:it's|is|it|my|name|i'm|this)$/.test(word)) return [];
  }
  return [];
};

/** The names with which speakers introduce themselves. */
export const selfIntroductions = (turn: Turn, before: Turn | undefined, reading: Reading): readonly Mention[] => [
  ...byName(turn, reading),
  ...byPresenting(turn, reading),
  ...bySpeaking(turn, reading),
  ...byAnswering(turn, before, reading),
];
