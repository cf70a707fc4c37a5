import { type DestinationStream, type LevelWithSilent, pino } from 'pino';
import { prettyLines } from './pretty-lines.js';
import type { Log } from '../../application/ports/log.js';

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
