import { type Command, InvalidArgumentError } from 'commander';
import { readTimestamp, type Timestamp } from '../../domain/kernel/timestamp.js';

interface SystemError extends Error {
  readonly code: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
  readonly hostname?: string;
}

const isSystemError = (error: Error): error is SystemError => 'code' in error && typeof error.code === 'string';

const ofFiles: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EEXIST: 'it is not a folder',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission is denied',
  EROFS: 'the disk is read-only',
};

const ofAddresses: Readonly<Record<string, string>> = {
  EACCES: 'listening there is not permitted: set PORT to 1024 or above',
  EADDRINUSE: 'the port is in use by another program: set PORT to a free one',
  EADDRNOTAVAIL: 'this machine has no such address: set HOST to one that it has',
};

const systemReason = ({ code, path, address, port, hostname }: SystemError): string | null => {
  if (code === 'ENOTFOUND' && hostname !== undefined) return `${hostname}: there is no such host`;
  if (address !== undefined) {
    const known = ofAddresses[code];
    return known === undefined ? null : `${address}${port === undefined ? '' : `:${port}`}: ${known}`;
  }
  const known = ofFiles[code];
  return path === undefined || known === undefined ? null : `${path}: ${known}`;
};

/** A readable message of an error. Errors of the operating system, which name codes and calls, become a sentence. */
export const readableError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return (isSystemError(error) ? systemReason(error) : null) ?? error.message;
};

/** The command line or the environment cannot be used as given: exit code 2. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

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
