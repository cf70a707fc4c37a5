import { isRealName } from '../../domain/kernel/names.js';

/** What providers make up when they do not know who speaks or is seen. */
const madeUp = [
  /^[\d\W_]*$/,
  /^(?:[a-z]|[a-z]{1,2}\d+|uu)$/i,
  /^(?:speaker|spk|spkr|person|participant|face|guest|unknown|channel|ch|track|user)[ _#-]*(?:\d+|[a-z])?$/i,
  /^(?:agent|customer|host|interviewer|interviewee|narrator|operator|caller|client|voice|all|both|man|woman|male|female)(?: ?#?\d+)?$/i,
];

/** The label as a person's name, its white space folded; null for a label that a tool made up. */
export const personName = (label: string): string | null => {
  const name = label.replaceAll(/\s+/g, ' ').trim();
  return isRealName(name) && !madeUp.some((pattern) => pattern.test(name)) ? name : null;
};
