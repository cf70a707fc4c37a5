import { type Command, InvalidArgumentError } from 'commander';
import { type Timestamp, readTimestamp } from '../../domain/kernel/timestamp.js';

/** How times are written on the command line. */
export const howToWriteATime =
  'written with its offset, as in 2026-01-31T12:00Z or 2026-01-31T13:00:00+01:00, or as a day (from 00:00 in UTC), as in 2026-01-31';

const writtenTime = (text: string): Timestamp => {
  const time = readTimestamp(text);
  if (time !== null) return time;
  throw new InvalidArgumentError(`It must be a time, ${howToWriteATime}.`);
};

/** Adds `--from`, which is included, and `--to`, which is not. `what` is counted by its time. */
export const withTimes = (command: Command, what: string): Command =>
  command
    .option('--from <time>', `${what} at this time or later`, writtenTime)
    .option('--to <time>', `${what} before this time`, writtenTime)
    .addHelpText('after', `\nA time is ${howToWriteATime}.`);
