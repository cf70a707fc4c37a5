/** The span of time that is to be seen, in seconds. */
export interface Viewport {
  readonly start: number;
  readonly end: number;
}

const shortest_seconds = 0.5;

/** The span moved and cut so that it lies within the recording, and is not too short to be seen. */
export const within = ({ start, end }: Viewport, duration: number): Viewport => {
  const length = Math.min(Math.max(end - start, Math.min(shortest_seconds, duration)), duration);
  const from = Math.min(Math.max(start, 0), duration - length);
  return { start: from, end: from + length };
};

/** Larger or smaller by a factor, around a time that stays where it is. */
export const zoomed = ({ start, end }: Viewport, factor: number, around: number, duration: number): Viewport =>
  within({ start: around - (around - start) / factor, end: around + (end - around) / factor }, duration);

/** Moved by a part of its own length. */
export const panned = ({ start, end }: Viewport, part: number, duration: number): Viewport => {
  const by = (end - start) * part;
  return within({ start: start + by, end: end + by }, duration);
};

/** Moved so that a time is in its middle, if it is not to be seen. */
export const following = (viewport: Viewport, time: number, duration: number): Viewport => {
  const { start, end } = viewport;
  if (time >= start && time <= end) return viewport;
  return within({ start: time - (end - start) / 2, end: time + (end - start) / 2 }, duration);
};

const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600];

/** Times for the marks of the axis, so many at most. */
export const marks = ({ start, end }: Viewport, most: number): ReadonlyArray<number> => {
  const step = steps.find((one) => (end - start) / one <= most) ?? 7_200;
  const first = Math.ceil(start / step);
  return Array.from({ length: Math.max(0, Math.floor(end / step) - first + 1) }, (_, at) => (first + at) * step);
};
