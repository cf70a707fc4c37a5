import type { FaceParts } from './faces.js';
import { Sightings } from './sightings.js';

/** The rectangle of a face, in shares of the picture. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A face that is not seen for longer is not known again. */
const longestGap = 1;

/** Boxes of one face overlap by at least this share of their union from one sample to the next. */
const leastOverlap = 0.3;

const overlapOf = (a: Box, b: Box): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
};

const lastOf = (times: ReadonlyArray<number>): number => times.at(-1) ?? 0;

/** The usual distance of two samples: how long one sample stands for; 0.04 s at least, 1 s at most. */
export const usualStep = (times: ReadonlyArray<number>): number => {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
  const median = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.min(Math.max(median, 0.04), longestGap);
};

/** Samples of one face become the stretches in which it is visible. */
export const visibleDuring = (times: ReadonlyArray<number>, step: number): FaceParts['visible'] => {
  const sightings = new Sightings(Math.max(longestGap, step));
  times.forEach((time) => sightings.add(time));
  return [...sightings.stretches(0, step)];
};

/**
 * Faces from boxes without identity: a box goes on with the face whose last box, at most 1 s before, it overlaps
 * most. Gives the sample times of each face, in order of appearance.
 */
export const trackBoxes = (
  samples: ReadonlyArray<{ readonly at: number; readonly box: Box }>,
): ReadonlyArray<ReadonlyArray<number>> => {
  const tracks: { readonly times: number[]; box: Box }[] = [];
  let open: { readonly times: number[]; box: Box }[] = [];
  for (const { at, box } of samples.toSorted((a, b) => a.at - b.at)) {
    open = open.filter(({ times }) => at - lastOf(times) <= longestGap + 1e-6);
    const [best] = open
      .filter(({ times }) => lastOf(times) < at)
      .map((track) => ({ track, overlap: overlapOf(track.box, box) }))
      .filter(({ overlap }) => overlap >= leastOverlap)
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
