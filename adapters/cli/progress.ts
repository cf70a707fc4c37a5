/** The terminal on which progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

const width = 30;
const worthShowing = 16 * 1024 * 1024;
const clear = '\r\u001B[K';

const bar = (share: number): string => '#'.repeat(Math.round(share * width)).padEnd(width, '.');

/**
 * A progress bar for large files, only on a terminal. It is redrawn at each percent and removed at the end. Sizes are
 * in bytes.
 */
export const progressOn = (screen: Screen): ((file: string, read: number, size: number) => void) => {
  let shown = -1;
  return (file, read, size) => {
    if (screen.isTTY !== true || size < worthShowing) return;
    const percent = Math.floor((Math.min(read, size) / size) * 100);
    if (percent === shown) return;
    shown = percent;
    const megabytes = (read / 1e6).toFixed(0);
    screen.write(percent === 100 ? clear : `${clear}${bar(percent / 100)} ${percent} % ${megabytes} MB ${file}`);
  };
};

/** The progress of reading a log; `share` is from 0 to 1, or null if unknown. */
interface LogProgress {
  readonly events: number;
  readonly share: number | null;
  readonly counted?: string;
}

const untilShown = 1_000;
const betweenLines = 100;

/**
 * Shows the progress of work that reads a log, only on a terminal: one line if it takes longer than a second, redrawn
 * at most ten times a second and removed before the result is printed. The clock is in milliseconds.
 */
export const watchedOn =
  (screen: Screen, clock: () => number = () => performance.now()) =>
  async <Result>(work: (onProgress: (progress: LogProgress) => void) => Promise<Result>): Promise<Result> => {
    let next = clock() + untilShown;
    let isShown = false;
    try {
      return await work(({ events, share, counted = 'events' }) => {
        if (screen.isTTY !== true || clock() < next) return;
        next = clock() + betweenLines;
        isShown = true;
        const known = share === null ? '' : `${bar(share)} ${Math.floor(100 * share)} % `;
        screen.write(`${clear}${known}${events.toLocaleString('en-GB')} ${counted}`);
      });
    } finally {
      if (isShown) screen.write(clear);
    }
  };
