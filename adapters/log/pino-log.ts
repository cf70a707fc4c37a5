import { type DestinationStream, type LevelWithSilent, pino } from 'pino';
import { prettyLines } from './pretty-lines.js';
import type { Log } from '../../application/ports/log.js';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** `pretty`: lines for readers; `json`: an object a line. */
export const logFormats = ['pretty', 'json'] as const;
type LogFormat = (typeof logFormats)[number];

/** Logs lines to a stream; standard error when none is given, for standard output belongs to commands. */
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
