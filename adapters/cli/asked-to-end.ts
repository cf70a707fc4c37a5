const check_ms = 500;

/**
 * Calls back once when the process is asked to end: by SIGTERM or SIGINT, or, where npm started it, because its parent is
 * gone. npm passes a signal to the shell that it started alone, and a shell may end without passing it on.
 */
export const onAskedToEnd = (end: () => void): void => {
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
