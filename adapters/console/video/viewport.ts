/** The visible time span, in seconds. */
export interface Viewport {
  readonly start: number;
  readonly end: number;
}

const minSeconds = 0.5;

/** The span, moved and limited so that it lies within the whole and is not too short. */
export const within = ({ start, end }: Viewport, whole: Viewport): Viewport => {
  const longest = whole.end - whole.start;
  const length = Math.min(Math.max(end - start, Math.min(minSeconds, longest)), longest);
  const from = Math.min(Math.max(start, whole.start), whole.end - length);
  return { start: from, end: from + length };
};

/** The span zoomed by a factor around a time that keeps its place on the screen. */
export const zoomed = ({ start, end }: Viewport, factor: number, around: number, whole: Viewport): Viewport =>
  within({ start: around - (around - start) / factor, end: around + (end - around) / factor }, whole);

/** The span moved by a part of its length. */
export const panned = ({ start, end }: Viewport, part: number, whole: Viewport): Viewport => {
  const by = (end - start) * part;
  return within({ start: start + by, end: end + by }, whole);
};

/** The span moved so that a time is in its middle, unless the time is visible already. */
export const following = (viewport: Viewport, time: number, whole: Viewport): Viewport => {
  const { start, end } = viewport;
  if (time >= start && time <= end) return viewport;
  return within({ start: time - (end - start) / 2, end: time + (end - start) / 2 }, whole);
};

const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600];

/** Times for the marks of the axis, at most `maxMarks`. */
export const marks = ({ start, end }: Viewport, maxMarks: number): ReadonlyArray<number> => {
  const step = steps.find((one) => (end - start) / one <= maxMarks) ?? 7_200;
  const first = Math.ceil(start / step);
  return Array.from({ length: Math.max(0, Math.floor(end / step) - first + 1) }, (_, at) => (first + at) * step);
};
