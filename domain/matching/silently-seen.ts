import { lengthOf } from './stretches.js';
import type { Timeline } from './timeline.js';

/** The seconds that each face is visible while nobody speaks, by the clock `spoken`, which runs while anybody does. */
export const silentlySeenIn = ({ presences }: Timeline, spoken: (time: number) => number): readonly number[] =>
  presences.map(({ visible }) => {
    let seconds = 0;
    for (let n = 0; n < visible.starts.length; n += 1)
      seconds += lengthOf(visible, n) - (spoken(visible.ends[n] ?? 0) - spoken(visible.starts[n] ?? 0));
    return seconds;
  });
