import type { Interval } from '../kernel/interval.js';
import { add, type Matrix, zeros } from './matrix.js';
import { forEachOverlap, sharedSeconds } from './overlap.js';
import { runningTotal } from './running-total.js';
import { byStart, merged, ownedBy, type Span, widened } from './spans.js';
import type { Timeline } from './timeline.js';

/** Seconds around turns and tracks in which the speech of others counts as the same conversation. */
const reach = 3;

/** The moments within reach of each speaker's turns. */
const nearSpeech = (turns: readonly Span[], speakers: number): readonly Span[] => {
  const own = Array.from({ length: speakers }, (): Interval[] => []);
  for (const turn of turns) own[turn.owner]?.push(turn);
  return own.flatMap((intervals, speaker) => ownedBy(speaker, widened(intervals, reach)));
};

/**
 * Seconds in which others speak within reach of both the speaker's turns and the face's tracks. A pair that is
 * together all the same, in the midst of a conversation, is more surely a pair than one in a monologue.
 * Everything is put on a clock that only runs while anybody speaks: on it, what two stretches share is speech.
 */
export const conversationOf = ({ turns, presences, speaking }: Timeline): Matrix => {
  const seconds = zeros(speaking.length, presences.length);
  const spoken = runningTotal(merged(turns), () => 1);
  const onClock = (spans: readonly Span[]): readonly Span[] =>
    spans.map(({ start, end, owner }) => ({ start: spoken(start), end: spoken(end), owner })).sort(byStart);
  const sight = onClock(presences.flatMap(({ visible }, face) => ownedBy(face, widened(visible, reach))));
  const everyone = onClock(nearSpeech(turns, speaking.length));
  forEachOverlap(everyone, sight, (heard, seen) => add(seconds, heard.owner, seen.owner, sharedSeconds(heard, seen)));
  forEachOverlap(onClock(turns), sight, (own, seen) => add(seconds, own.owner, seen.owner, -sharedSeconds(own, seen)));
  return seconds;
};
