import type { Log } from '../../../application/ports/log.js';

interface Told {
  readonly log: Log;
  /** The lines, each with its level and, where it has one, its reason. */
  readonly lines: ReadonlyArray<string>;
}

/** A log that remembers what it is told. */
export const told = (): Told => {
  const lines: string[] = [];
  const line =
    (level: string): Log['info'] =>
    (message, { reason } = {}) =>
      void lines.push(`${level}: ${message}${typeof reason === 'string' ? `: ${reason}` : ''}`);
  return { log: { info: line('info'), warn: line('warn'), error: line('error') }, lines };
};
