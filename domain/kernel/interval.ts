import * as t from 'io-ts';

/** An interval of media time in seconds from the start of the medium, with 0 <= start <= end. */
export const Interval = t.refinement(
  t.type({ start: t.number, end: t.number }),
  ({ start, end }) => Number.isFinite(start) && Number.isFinite(end) && start >= 0 && end >= start,
  'Interval',
);
export type Interval = t.TypeOf<typeof Interval>;
