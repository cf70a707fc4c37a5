import * as O from 'fp-ts/lib/Option.js';
import { type Credits, CreditsText, parseCredits } from '../../domain/kernel/credits.js';
import { made } from './values.js';

/** The credits that a decimal text stands for. */
export const credits = (text: string): Credits => {
  const parsed = parseCredits(text);
  if (O.isNone(parsed)) throw new TypeError(`no credits: ${text}`);
  return parsed.value;
};

export const creditsText = (text: string): CreditsText => made(CreditsText, text);
