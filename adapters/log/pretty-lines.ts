import type { DestinationStream } from 'pino';

const levelNames: ReadonlyMap<unknown, string> = new Map([
  [10, 'TRACE'],
  [20, 'DEBUG'],
  [30, 'INFO'],
  [40, 'WARN'],
  [50, 'ERROR'],
  [60, 'FATAL'],
]);
const widest = 5;

const parsed = (line: string): object | null => {
  try {
    const entry: unknown = JSON.parse(line);
    return typeof entry === 'object' ? entry : null;
  } catch {
    return null;
  }
};

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** Formats a log entry for people: `12:34:56.789 INFO  message key=value`. Other lines stay as they are. */
export const prettyLine = (line: string): string => {
  const entry = parsed(line);
  if (entry === null) return line;
  const { level, time, msg, ...facts }: Record<string, unknown> = { ...entry };
  const at = typeof time === 'string' ? time.slice(11, 23) : '';
  const name = levelNames.get(level) ?? String(level);
  const told = Object.entries(facts).map(([key, value]) => ` ${key}=${shown(value)}`);
  return `${at} ${name.padEnd(widest)} ${typeof msg === 'string' ? msg : ''}${told.join('')}`;
};

/** Writes formatted lines to another destination. */
export const prettyLines = (destination: DestinationStream): DestinationStream => ({
  write: (text) => destination.write(`${text.trimEnd().split('\n').map(prettyLine).join('\n')}\n`),
});
