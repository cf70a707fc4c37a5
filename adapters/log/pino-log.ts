import { type DestinationStream, type LevelWithSilent, pino } from 'pino';
import type { Log } from '../../application/ports/log.js';
import { parsedJson } from '../runtime/json.js';

/** The length of the longest name of a level. */
const widest = 5;

const shown = (value: unknown): string =>
  typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);

/** Formats a log entry for people: `12:34:56.789 INFO  message key=value`. Other lines stay as they are. */
const prettyLine = (line: string): string => {
  const entry = parsedJson(line);
  if (typeof entry !== 'object' || entry === null) return line;
  const { level, time, msg, ...facts }: Record<string, unknown> = { ...entry };
  const at = typeof time === 'string' ? time.slice(11, 23) : '';
  const name = (pino.levels.labels[Number(level)] ?? String(level)).toUpperCase();
  const fields = Object.entries(facts).map(([key, value]) => ` ${key}=${shown(value)}`);
  return `${at} ${name.padEnd(widest)} ${typeof msg === 'string' ? msg : ''}${fields.join('')}`;
};

/** Writes formatted lines to another destination. */
const prettyLines = (destination: DestinationStream): DestinationStream => ({
  write: (text) => destination.write(`${text.trimEnd().split('\n').map(prettyLine).join('\n')}\n`),
});

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** `pretty`: lines for people; `json`: one object per line. */
export const logFormats = ['pretty', 'json'] as const;
type LogFormat = (typeof logFormats)[number];

/** Logs to a stream, by default standard error: standard output is for the results of commands. */
export const pinoLog = (
  level: LevelWithSilent,
  format: LogFormat = 'json',
  destination: DestinationStream = pino.destination(2),
): Log => {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  const logger = pino(options, format === 'json' ? destination : prettyLines(destination));
  return {
    info: (message, facts = {}) => logger.info(facts, message),
    warn: (message, facts = {}) => logger.warn(facts, message),
    error: (message, facts = {}) => logger.error(facts, message),
  };
};
