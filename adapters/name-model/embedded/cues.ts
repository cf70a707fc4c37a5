import type { Span } from './names.js';
import { type Turn, tokenAt } from './turns.js';

/** Words before or after which a name is said, and the weight of this evidence. */
export interface Cue {
  readonly words: RegExp;
  readonly weight: number;
}

/** A cue for words that are an expression. */
export const cue = (words: string, weight: number): Cue => ({ words: new RegExp(`\\b(?:${words}) `, 'g'), weight });

/** A table of cues: a line for each, with its weight and its words. */
const cuesIn = (table: string): readonly Cue[] =>
  [...table.matchAll(/^([\d.]+) +(.+)$/gm)].map(([, weight, words = '']) => cue(words, Number(weight)));

const small =
  '(?:(?:is|are|was|will|be|come|comes|came|coming|goes|go|going|has|been|today|now|here|this|morning|be) ){0,6}';

/** Cues before the name of the person who gets the floor; also with a misrecognised preposition: `comes form`, `comes off`. */
export const handsOverTo = cuesIn(String.raw`
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
export const goesAhead = cuesIn(String.raw`
3.5 (?:please )?(?:go ahead|proceed|begin|go on)
2.5 (?:you had|you wanted|you have a|you have some|you've got a|wants to|wanted to)
4   (?:now )?(?:you have|has|you now have|now has|you've got) (?:the floor|about)
4   (?:the floor is yours|your line is|your question please|the line is yours|you may|over to you)
3   (?:you're|you are) (?:up|next|live|on|now live)
3   has (?:got )?(?:a|some|the|another)?(?: \w+)? ?questions?
2   (?:please|do you|did you|would you|can you|could you|any comments|any thoughts|will you)
`);

/** The token indices at which a cue ends. */
export const cueEnds = (turn: Turn, { words }: Cue): readonly number[] =>
  Array.from(turn.joined.matchAll(words), ({ 0: found, index }) => tokenAt(turn, index + found.length));

/** The token indices at which a cue begins. */
export const cueStarts = (turn: Turn, { words }: Cue): readonly number[] =>
  Array.from(turn.joined.matchAll(words), ({ index }) => tokenAt(turn, index));

/** Whether a name is directly followed by these words. */
export const isFollowedBy = (turn: Turn, span: Span, words: RegExp): boolean =>
  words.test(turn.joined.slice(turn.offsets[span.to] ?? turn.joined.length, (turn.offsets[span.to] ?? 0) + 40));
