import type { FaceBox, Interval } from './imported.js';
import { Sightings } from './sightings.js';

/** A face that is missing for longer gets a new track. */
const maxGapSeconds = 1;

/** The minimal intersection over union of a face's boxes in consecutive samples. */
const minOverlap = 0.3;

const overlapOf = (a: FaceBox, b: FaceBox): number => {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / (a.width * a.height + b.width * b.height - shared);
};

/** How long one sample lasts: the median distance of two samples, between 0.04 s and 1 s. */
export const sampleDuration = (times: ReadonlyArray<number>): number => {
  const sorted = [...new Set(times)].sort((a, b) => a - b);
  const steps = sorted.slice(1).map((time, index) => time - (sorted[index] ?? time));
  const median = steps.sort((a, b) => a - b)[Math.floor(steps.length / 2)] ?? 0;
  return Math.min(Math.max(median, 0.04), maxGapSeconds);
};

/** The intervals in which a face is visible, from the times of its samples. */
export const visibleDuring = (times: ReadonlyArray<number>, step: number): ReadonlyArray<Interval> => {
  const sightings = new Sightings(Math.max(maxGapSeconds, step));
  times.forEach((time) => sightings.add(time));
  return sightings.intervals(0, step);
};

/**
 * Tracks faces through boxes without identity: a box belongs to the face whose last box, at most 1 s before, it overlaps
 * most. Returns the boxes of each face, in order of appearance.
 */
export const trackBoxes = (samples: ReadonlyArray<FaceBox>): ReadonlyArray<ReadonlyArray<FaceBox>> => {
  const tracks: { readonly boxes: FaceBox[]; last: FaceBox }[] = [];
  let open: typeof tracks = [];
  for (const box of samples.toSorted((a, b) => a.at - b.at)) {
    open = open.filter(({ last }) => box.at - last.at <= maxGapSeconds + 1e-6);
    const [best] = open
      .filter(({ last }) => last.at < box.at)
      .map((track) => ({ track, overlap: overlapOf(track.last, box) }))
      .filter(({ overlap }) => overlap >= minOverlap)
      .sort((a, b) => b.overlap - a.overlap);
    const track = best?.track ?? { boxes: [], last: box };
    track.boxes.push(box);
    track.last = box;
    if (best !== undefined) continue;
    tracks.push(track);
    open.push(track);
  }
  return tracks.map(({ boxes }) => boxes);
};
