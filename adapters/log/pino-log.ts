import { type DestinationStream, type LevelWithSilent, pino } from 'pino';
import type { Log } from '../../application/ports/log.js';

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Logs JSON lines to a stream; standard error when none is given, for standard output belongs to commands. */
export const pinoLog = (level: LevelWithSilent, destination: DestinationStream = pino.destination(2)): Log => {
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    info: (message, facts = {}) => logger.info(facts, message),
    warn: (message, facts = {}) => logger.warn(facts, message),
    error: (message, facts = {}) => logger.error(facts, message),
  };
};
