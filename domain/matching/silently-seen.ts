import { runningTotal } from './running-total.js';
import { length, merged } from './spans.js';
import type { Timeline } from './timeline.js';

/** The seconds that each face is visible while nobody speaks. */
export const silentlySeenIn = ({ turns, presences }: Timeline): readonly number[] => {
  const spoken = runningTotal(merged(turns), () => 1);
  return presences.map(({ visible }) =>
    visible.reduce((sum, stretch) => sum + length(stretch) - (spoken(stretch.end) - spoken(stretch.start)), 0),
  );
};
