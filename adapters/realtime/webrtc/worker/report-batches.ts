import type { EngineReport } from '../../../../application/ports/realtime-engine.js';

interface SessionReport {
  readonly session: string;
  readonly report: EngineReport;
}

export interface ReportBatches {
  readonly add: (report: SessionReport) => void;
  /** Hands over what has been added, now. */
  readonly flush: () => void;
}

/** How long a report may wait for others, in milliseconds. */
const longestWait = 25;

/** Gathers the reports of a thread's sessions, in order: a message between threads costs more than what is in it. */
export const reportBatches = (hand: (batch: SessionReport[]) => void): ReportBatches => {
  let waiting: SessionReport[] = [];
  const flush = (): void => {
    if (waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    hand(batch);
  };
  return {
    add: (report) => {
      if (waiting.length === 0) setTimeout(flush, longestWait);
      waiting.push(report);
    },
    flush,
  };
};
