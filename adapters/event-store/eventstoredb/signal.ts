/** Wakes a single waiter when something happens. */
export interface Signal {
  readonly give: () => void;
  /** Resolves at the next `give`, or at once if one came since the last wait. */
  readonly wait: () => Promise<void>;
}

export const createSignal = (): Signal => {
  let given = false;
  let wake: (() => void) | null = null;
  return {
    give: () => {
      given = true;
      wake?.();
    },
    wait: async () => {
      if (!given)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      wake = null;
      given = false;
    },
  };
};
