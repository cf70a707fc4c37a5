import { factOf } from './json.js';

/** The codes of the service in plain words, with what to do where something can be done. */
const words: Readonly<Record<string, string>> = {
  // Processing of a video or an audio.
  queue: 'waiting for its analysis',
  processing: 'being analysed',
  completed: 'analysed',
  failed: 'its analysis failed',
  // Why a speaker got no face.
  off_screen: 'probably off screen',
  decided_not_seen: 'off screen',
  ambiguous: 'several faces are equally likely',
  too_little_speech: 'speaks too little to tell',
  not_matched: 'not matched',
  // Why names cannot be inferred.
  meeting: 'the recording is a meeting',
  provider_supplied: 'a provider supplied its speakers',
  transcript_replaced: 'its transcript was replaced by hand',
  speech_segments: 'it has speech segments from elsewhere',
  transcript_not_ready: 'it has no transcript; import one, then come back',
  // Why no name or role was found.
  no_proposal: 'nobody says this name; give it by hand',
  quote_not_found: 'the quote is not in the transcript',
  name_not_in_quote: 'the name is not in the quote',
  wrong_speaker: 'the wrong speaker says it',
  not_a_person_name: 'what is said is not a name of a person',
  duplicate_name: 'another speaker has this name',
  conflicting_evidence: 'the transcript says different names',
  // Why a call is not admitted.
  zero_balance: 'The account has no credits. Ask its administrator to add some.',
  negative_balance: 'The credit balance of the account is negative. Ask its administrator to add credits.',
  window_used_up: 'The spending limit of the account has no room for this until its next period.',
  held: 'Calls in progress reserve the credits of the account. Try again when they have ended.',
  max_credits: 'This costs more than the estimate said. Estimate again.',
};

export const inWords = (code: string): string => words[code] ?? code.replaceAll('_', ' ');

/** Labels that tools generate, such as `Speaker 3` or `spk_01`. */
const generated = /^(?:face|speaker|spk|spkr|person|participant|unknown|unnamed)(?:[ _-]?#?(?:\d+|[a-z]))?$/i;

/** Whether somebody has a name, not only a label. */
export const isNamed = (name: string | null): boolean =>
  name !== null && name.trim() !== '' && !generated.test(name.trim());

/** Whether a request failed because the service did not answer, or cannot now. */
export const isAway = (error: unknown): boolean => factOf(error, 'retryable') === true;

/** Whether there was no answer of the service at all, so that one message for the whole page is enough. */
export const isUnanswered = (error: unknown): boolean => isAway(error) && factOf(error, 'code') === null;
