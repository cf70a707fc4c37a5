import type { Log } from '../../../application/ports/log.js';

interface RecordingLog {
  readonly log: Log;
  /** The lines, each with its level and, where it has one, its reason. */
  readonly lines: ReadonlyArray<string>;
}

/** A log that keeps its lines in memory. */
export const recordingLog = (): RecordingLog => {
  const lines: string[] = [];
  const line =
    (level: string): Log['info'] =>
    (message, { reason } = {}) =>
      void lines.push(`${level}: ${message}${typeof reason === 'string' ? `: ${reason}` : ''}`);
  return { log: { info: line('info'), warn: line('warn'), error: line('error') }, lines };
};
