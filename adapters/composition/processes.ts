import type { Application } from '../../application/application.js';
import { giveUpOverdue } from '../../application/name-inference/give-up-overdue.js';
import { answerMatchRuns } from '../../application/processes/answer-match-runs.js';
import { reactionProcess } from '../../application/processes/reaction-process.js';
import { type Sweep, trackProcess, startSweeps } from '../../application/processes/sweep.js';
import { type RetentionNeeds, startRetention } from '../../application/processes/retention/retention.js';
import type { Config } from '../config/config.js';
import type { EventLog } from './event-log.js';
import { workerPool } from '../match-worker/worker-pool.js';
import { steadyTimers } from '../runtime/timers.js';

/** The background processes: reactions, the embedded match worker, the sweep for unfinished work, and retention. */
export const startProcesses = (
  app: Application,
  { run, checkpoints }: EventLog,
  config: Config,
  reading: Omit<RetentionNeeds, 'app'>,
) => {
  const { sweep_seconds, name_model_timeout_seconds } = config;
  const pool = config.match_worker === 'embedded' ? workerPool() : null;
  const followUps = trackProcess(reactionProcess(app));
  const matchRuns = pool === null ? null : trackProcess(answerMatchRuns(app, pool));
  const shared = [followUps, ...(matchRuns === null ? [] : [matchRuns])];
  const running = shared.map(({ process }) => run(app, process));
  const sweeps: ReadonlyArray<Sweep> = [
    { ...followUps, overdue_seconds: sweep_seconds },
    // A run that is unfinished after this time is taken over by another instance.
    ...(matchRuns === null ? [] : [{ ...matchRuns, overdue_seconds: 2 * sweep_seconds }]),
    {
      process: giveUpOverdue(app),
      progressOf: () => 'unknown',
      overdue_seconds: name_model_timeout_seconds + sweep_seconds,
    },
  ];
  const timers = steadyTimers();
  const sweeping = startSweeps(app, checkpoints, timers, sweeps, sweep_seconds);
  const retention = startRetention({ app, ...reading }, timers);
  return {
    stopped: (): ReadonlyArray<string> => running.flatMap((process) => process.stoppedBy() ?? []),
    close: async (): Promise<void> => {
      await Promise.all([sweeping.close(), retention.close(), ...running.map((process) => process.close())]);
      await pool?.close();
    },
  };
};
