import type { Log } from '../../application/ports/log.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

/** How far the read models have caught up with the log. */
export interface ReadModelsProgress {
  readonly position: Position;
  /** Null when it cannot be computed from the store's positions. */
  readonly percent: number | null;
  readonly events: number;
  readonly events_per_second: number;
}

export interface ProgressReport {
  readonly advance: (events: number, position: Position) => void;
  readonly arrive: () => void;
}

export interface ProgressSettings {
  readonly log: Log | undefined;
  readonly onProgress: ((progress: ReadModelsProgress) => void) | undefined;
  readonly from: Position | null;
  readonly head: Position | null;
  /** Why the read models are rebuilt; null when they continue. */
  readonly reason: string | null;
}

const interval = 1_000;

const percentOf = (from: Position | null, head: Position | null, position: Position): number | null => {
  const [start, end, now] = [Number(from ?? 0), Number(head), Number(position)];
  return head === null || !(end > start) ? null : Math.min(100, Math.round(((now - start) / (end - start)) * 100));
};

/**
 * Reports the progress of catching up, at most one log line a second. A short catch-up without a rebuild is not
 * reported.
 */
export const reportProgress = ({ log, onProgress, from, head, reason }: ProgressSettings): ProgressReport => {
  const start = performance.now();
  let reportedAt = start;
  let events = 0;
  let lines = 0;
  const perSecond = (): number => Math.round(events / Math.max(0.001, (performance.now() - start) / 1_000));
  if (reason !== null && head !== null) {
    log?.info('the read models are being rebuilt from the log', { reason });
    lines += 1;
  }
  return {
    advance: (more, position) => {
      events += more;
      if (performance.now() - reportedAt < interval) return;
      reportedAt = performance.now();
      lines += 1;
      const progress = { position, percent: percentOf(from, head, position), events, events_per_second: perSecond() };
      log?.info('the read models follow the log', { ...progress });
      onProgress?.(progress);
    },
    arrive: () => {
      if (lines > 0)
        log?.info('the read models have caught up with the log', { events, events_per_second: perSecond() });
    },
  };
};
