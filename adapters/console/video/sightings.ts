import type { Interval } from '../../client/index.js';

const maxSightings = 3;

/** The longest times at which a face is visible, those while the speaker talks first, in the order of time. */
export const sightingsOf = (
  tracks: ReadonlyArray<Interval>,
  turns: ReadonlyArray<Interval> = [],
): ReadonlyArray<Interval> => {
  const together = tracks.flatMap((track) =>
    turns
      .map(({ start, end }) => ({ start: Math.max(start, track.start), end: Math.min(end, track.end) }))
      .filter(({ start, end }) => end > start),
  );
  return (together.length > 0 ? together : tracks)
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))
    .slice(0, maxSightings)
    .toSorted((a, b) => a.start - b.start);
};
