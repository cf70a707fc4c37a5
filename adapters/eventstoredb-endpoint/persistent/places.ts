/** Which places in a sequence are done with; each is begun in order and may be done out of order. */
export interface Places {
  readonly begin: (place: number) => void;
  readonly done: (place: number) => void;
  /** Nothing that must be done lies before this place. */
  readonly skipTo: (place: number) => void;
  /** The first place that is not done with: from where to go on after a restart. */
  readonly first: () => number;
  /** The place that comes next. */
  readonly next: () => number;
}

export const createPlaces = (start: number): Places => {
  /** In the order in which they were begun. */
  const open = new Set<number>();
  let next = start;
  const skipTo = (place: number): void => {
    next = Math.max(next, place);
  };
  return {
    begin: (place) => {
      open.add(place);
      skipTo(place + 1);
    },
    done: (place) => void open.delete(place),
    skipTo,
    first: () => {
      const [least] = open;
      return least ?? next;
    },
    next: () => next,
  };
};
