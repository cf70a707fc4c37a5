const check_ms = 500;

/**
 * Calls back once when the process should end: on SIGTERM or SIGINT, or, if npm started it, when its parent has ended.
 * npm sends signals only to the shell that it started, and the shell may end without forwarding them.
 */
export const onEndSignal = (end: () => void): void => {
  let isAsked = false;
  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    end();
  };
  process.once('SIGTERM', ask);
  process.once('SIGINT', ask);
  if (process.env['npm_lifecycle_event'] === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    ask();
  }, check_ms).unref();
};
