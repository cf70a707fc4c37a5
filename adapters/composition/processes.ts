import type { Application } from '../../application/application.js';
import { giveUpOverdue } from '../../application/name-inference/give-up-overdue.js';
import { type MatchWorker, answerMatchRuns } from '../../application/processes/answer-match-runs.js';
import { reactionProcess } from '../../application/processes/reaction-process.js';
import { type Sweep, startSweep } from '../../application/processes/sweep.js';
import { type RetentionNeeds, startRetention } from '../../application/processes/retention/retention.js';
import type { Config } from '../config/config.js';
import type { EventLog } from './event-log.js';
import { threadedMatcher } from '../match-worker/matcher.js';
import type { Threads } from '../runtime/threads.js';
import { steadyTimers } from '../runtime/timers.js';

/** After this time, in seconds, a request has run the reactions to its events, if it can. */
const reactionTime = 2;

/** The background processes: reactions, the embedded match worker, the sweep for overdue work, and retention. */
export const startProcesses = (
  app: Application,
  { checkpoints }: EventLog,
  config: Config,
  threads: Threads,
  reading: Omit<RetentionNeeds, 'app'>,
) => {
  const { sweep_seconds, name_model_timeout_seconds } = config;
  const timers = steadyTimers();
  const every = (interval_seconds: number, min_age_seconds: number, all_at_start: boolean, sweep: Sweep) =>
    startSweep(app, checkpoints, timers, sweep, { interval_seconds, min_age_seconds, all_at_start });
  const worker: MatchWorker | null =
    config.match_worker === 'embedded' ? answerMatchRuns(app, threadedMatcher(threads)) : null;
  const soon = Math.min(reactionTime, sweep_seconds);
  // Another instance may be working on a run; what this instance works on is not begun again.
  const [matchInterval, matchAge] = config.event_store === 'sqlite' ? [soon, soon] : [sweep_seconds, 2 * sweep_seconds];
  const sweeps = [
    every(soon, soon, true, reactionProcess(app)),
    ...(worker === null ? [] : [every(matchInterval, matchAge, true, worker.sweep)]),
    every(sweep_seconds, name_model_timeout_seconds + sweep_seconds, false, giveUpOverdue(app)),
  ];
  const retention = startRetention({ app, ...reading }, timers);
  return {
    worker,
    stopped: (): ReadonlyArray<string> => sweeps.flatMap((sweep) => sweep.stoppedBy() ?? []),
    close: async (): Promise<void> => {
      await Promise.all([worker?.close(), retention.close(), ...sweeps.map((sweep) => sweep.close())]);
    },
  };
};
