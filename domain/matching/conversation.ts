import { add, type Matrix, zeros } from './matrix.js';
import { forEachOverlap, sharedSeconds } from './overlap.js';
import { type Spans, widened } from './spans.js';
import type { Timeline } from './timeline.js';

/** Seconds around turns and tracks in which the speech of others counts as the same conversation. */
const reach = 3;

/**
 * Seconds in which others speak within reach of both the speaker's turns and the face's tracks. A pair that is
 * together all the same, in the midst of a conversation, is more surely a pair than one in a monologue.
 * Everything is put on the clock `spoken`, which only runs while anybody speaks: on it, what two stretches share is
 * speech.
 */
export const conversationOf = (
  { turns, tracks, presences, speaking }: Timeline,
  spoken: (time: number) => number,
): Matrix => {
  const seconds = zeros(speaking.length, presences.length);
  const onClock = ({ starts, ends, owners }: Spans): Spans => ({
    starts: starts.map(spoken),
    ends: ends.map(spoken),
    owners,
  });
  const sight = onClock(widened(tracks, reach));
  const addShared = (heard: Spans, sign: 1 | -1): void =>
    forEachOverlap(heard, sight, (turn, track) => {
      const shared = sharedSeconds(heard, turn, sight, track);
      add(seconds, heard.owners[turn] ?? 0, sight.owners[track] ?? 0, sign * shared);
    });
  addShared(onClock(widened(turns, reach)), 1);
  addShared(onClock(turns), -1);
  return seconds;
};
