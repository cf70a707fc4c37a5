import { waitAtMost } from './clock.js';

/** The time for finishing requests in flight, from the start of stopping, in milliseconds. */
const maxFinishMs = 9_000;
/** The time from the start of stopping until its end, whether or not everything was closed. */
const maxStopMs = 9_800;

interface Stop {
  /** Finishes what is in flight, within the given number of milliseconds. */
  readonly finish: (time_ms: number) => Promise<void>;
  /** Called afterwards one after the other, even if the time was not enough or finishing failed. */
  readonly close: ReadonlyArray<() => Promise<void>>;
}

/** Finishes work and closes resources within 10 s altogether: all steps share one deadline. */
export const stopInTime = async ({ finish, close }: Stop): Promise<void> => {
  const start = performance.now();
  const closeAll = async (): Promise<void> => {
    // oxlint-disable-next-line no-await-in-loop -- in this order: the later ones are used by the earlier ones
    for (const closeOne of close) await closeOne();
  };
  try {
    await waitAtMost(finish(maxFinishMs), maxFinishMs);
  } finally {
    await waitAtMost(closeAll(), Math.max(0, maxStopMs - (performance.now() - start)));
  }
};
