import { add, type Matrix, zeros } from './matrix.js';
import { forEachOverlap } from './overlap.js';
import { type Spans, spansOf, widened } from './spans.js';
import type { Timeline } from './timeline.js';

/** Seconds between two ends that still are one, no multiple of the offsets that are tried: editors cut a little after the last word. */
const reach = 0.69;

/** Everybody's last moments, as stretches without length. */
const endsOf = (owned: readonly { readonly ends: Float64Array }[]): Spans =>
  spansOf(owned.map(({ ends }) => ({ starts: ends, ends })));

/**
 * In how many tracks of each face the picture leaves it as a turn of each speaker ends: editors stay with a person to
 * the last word.
 */
export const endsTogether = ({ heard, presences }: Timeline): Matrix => {
  const count = zeros(heard.length, presences.length);
  const tracks = endsOf(presences.map(({ visible }) => visible));
  const turns = widened(endsOf(heard), reach);
  forEachOverlap(tracks, turns, (track, turn) => add(count, turns.owners[turn] ?? 0, tracks.owners[track] ?? 0, 1));
  return count;
};
