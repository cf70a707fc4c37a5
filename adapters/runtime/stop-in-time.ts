import { waitAtMost } from './deadline.js';

/** What is in flight is finished within this time from the start of stopping, in milliseconds. */
const longestFinish = 9_000;
/** From the start of stopping until its end, whether or not everything could be closed. */
const longestStop = 9_800;

interface Stop {
  /** Finishes what is in flight; it is given the time that it has, in milliseconds. */
  readonly finish: (time_ms: number) => Promise<void>;
  /** Called one after the other afterwards, also when that time was not enough. */
  readonly close: ReadonlyArray<() => Promise<void>>;
}

/** Finishes work and closes what it used, all in less than 10 s: the steps share one deadline. */
export const stopInTime = async ({ finish, close }: Stop): Promise<void> => {
  const start = performance.now();
  await waitAtMost(finish(longestFinish), longestFinish);
  const closeAll = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- in this order: the later ones are used by the earlier ones
    for (const closeOne of close) await closeOne();
  };
  await waitAtMost(closeAll(), Math.max(0, longestStop - (performance.now() - start)));
};
