import type { FaceParts } from './faces.js';
import { Sightings } from './sightings.js';

/** The rectangle of a face, in fractions of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A face that is missing for longer gets a new track. */
const maxGapSeconds = 1;

/** The minimal intersection over union of a face's boxes in consecutive samples. */
const minOverlap = 0.3;

const overlapOf = (a: Box, b: Box): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
};

const lastOf = (times: ReadonlyArray<number>): number => times.at(-1) ?? 0;

/** How long one sample lasts: the median distance of two samples, between 0.04 s and 1 s. */
export const sampleDuration = (times: ReadonlyArray<number>): number => {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
  const median = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.min(Math.max(median, 0.04), maxGapSeconds);
};

/** The intervals in which a face is visible, from the times of its samples. */
export const visibleDuring = (times: ReadonlyArray<number>, step: number): FaceParts['visible'] => {
  const sightings = new Sightings(Math.max(maxGapSeconds, step));
  times.forEach((time) => sightings.add(time));
  return [...sightings.intervals(0, step)];
};

/**
 * Tracks faces through boxes without identity: a box belongs to the face whose last box, at most 1 s before, it overlaps
 * most. Returns the sample times of each face, in order of appearance.
 */
export const trackBoxes = (
  samples: ReadonlyArray<{ readonly at: number; readonly box: Box }>,
): ReadonlyArray<ReadonlyArray<number>> => {
  const tracks: { readonly times: number[]; box: Box }[] = [];
  let open: { readonly times: number[]; box: Box }[] = [];
  for (const { at, box } of samples.toSorted((a, b) => a.at - b.at)) {
    open = open.filter(({ times }) => at - lastOf(times) <= maxGapSeconds + 1e-6);
    const [best] = open
      .filter(({ times }) => lastOf(times) < at)
      .map((track) => ({ track, overlap: overlapOf(track.box, box) }))
      .filter(({ overlap }) => overlap >= minOverlap)
      .sort((a, b) => b.overlap - a.overlap);
    if (best === undefined) {
      const track = { times: [at], box };
      tracks.push(track);
      open.push(track);
    } else {
      best.track.times.push(at);
      best.track.box = box;
    }
  }
  return tracks.map(({ times }) => times);
};
