const check_ms = 500;

/**
 * Calls back once when the process should end: on SIGTERM or SIGINT, or, if npm started it, when its parent has ended.
 * npm sends signals only to the shell that it started, and the shell may end without forwarding them.
 */
export const onEndSignal = (end: () => void): void => {
  let hasEnded = false;
  const endOnce = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    end();
  };
  process.once('SIGTERM', endOnce);
  process.once('SIGINT', endOnce);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    endOnce();
  }, check_ms).unref();
};
