import { cue, cueEnds, cueStarts, isFollowedBy } from './cues.js';
import { type Mention, mentionOf } from './mention.js';
import { nameAt, nameBefore, type Span } from './names.js';
import type { Reading } from './reading.js';
import { type Turn, wordsBefore } from './turns.js';
import { openers } from './vocabulary.js';

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

const isKnownFirst = (turn: Turn, span: Span, { isKnown }: Reading): boolean =>
  isKnown(turn.tokens[span.from]?.text ?? '');

const isSure = (turn: Turn, span: Span, reading: Reading): boolean =>
  isKnownFirst(turn, span, reading) || (reading.cased && span.words.length > 1);

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
  !isKnownFirst(turn, span, reading) && reading.isOrdinary(span.words.join(' '));

/**
 * Whether the name ends what is said. Without capitals it must be a known one at the start of a turn; after a greeting
 * it need not be the end.
 */
const isComplete = (turn: Turn, span: Span, at: number, reading: Reading): boolean => {
  const ends = turn.tokens[span.to - 1]?.stops === true;
  if (reading.cased) return ends;
  const opening = opened.exec(turn.joined.slice(0, turn.offsets[at]));
  return opening !== null && isKnownFirst(turn, span, reading) && (ends || opening[1] !== undefined);
};

/** "This is Ada": at the start of a turn, or followed by words that are typical of an introduction. */
const byPresenting = (turn: Turn, reading: Reading): readonly Mention[] =>
  cueEnds(turn, presents).flatMap((at) => {
    const span = nameAt(turn, at, reading);
    if (span === null || span.possessive) return [];
    const isCopula = /^(?:it's|it) (?:is |actually )*$/.test(turn.joined.slice(turn.offsets[at - 2], turn.offsets[at]));
    const goesOn = isFollowedBy(turn, span, continuations) || isComplete(turn, span, at, reading);
    const isExplained = isFollowedBy(turn, span, continuations);
    const isThis = /this is (?:actually )?$/.test(wordsBefore(turn, at));
    if (!goesOn || (isCopula && !isExplained)) return [];
    if (
      !isSure(turn, span, reading) ||
      isState(turn, span, reading) ||
      (isThis && !isExplained && !isKnownFirst(turn, span, reading))
    )
      return [];
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
    if (
      !openers.has(turn.tokens[at]?.lower ?? '') &&
      !/^(?:it's|is|it|my|name|i'm|this)$/.test(turn.tokens[at]?.lower ?? '')
    )
      return [];
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
