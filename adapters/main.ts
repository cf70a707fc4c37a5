import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { type Application, aggregates } from '../application/application.js';
import type { NameInference } from '../application/name-inference/name-inference.js';
import { runningInferences } from '../application/name-inference/running.js';
import type { Log } from '../application/ports/log.js';
import { answerMatchRuns } from '../application/processes/answer-match-runs.js';
import { followUpProcess } from '../application/processes/follow-up-process.js';
import { type RunningProcess, runProcess } from '../application/processes/run-process.js';
import { firstAdmin } from '../application/use-cases/first-admin.js';
import { systemClock } from './clock.js';
import type { Config } from './config.js';
import { type SqliteEventStore, openSqliteEventStore } from './event-store/sqlite/open.js';
import { authenticator } from './http/authenticate.js';
import { createApp } from './http/create-app.js';
import { listen } from './http/listen.js';
import { systemIds } from './ids.js';
import { pinoLog } from './log/pino-log.js';
import { chatNameModel } from './name-model/chat/chat-name-model.js';
import { embeddedNameModel } from './name-model/embedded/embedded-name-model.js';
import { workerPool } from './match-worker/worker-pool.js';
import { type ReadModels, openReadModels } from './read-models/open.js';

export interface RunningService {
  readonly url: string;
  /** The admin key that this start had to make: to be shown once. Null when there is one already. */
  readonly firstAdminKey: string | null;
  /** Stops accepting, finishes what is in flight (10 s at most), and closes everything. */
  readonly stop: () => Promise<void>;
}

const patience = 10_000;
/** How long a start waits for read models that are being rebuilt, before it looks for an admin key. */
const rebuild = 24 * 3_600 * 1_000;

const processesOf = (app: Application, { checkpoints }: SqliteEventStore, config: Config) => {
  const pool = config.match_worker === 'embedded' ? workerPool() : null;
  const processes: ReadonlyArray<RunningProcess> = [
    runProcess(app, checkpoints, followUpProcess(app)),
    ...(pool === null ? [] : [runProcess(app, checkpoints, answerMatchRuns(app, pool))]),
  ];
  return {
    stopped: (): ReadonlyArray<string> => processes.flatMap((process) => process.stoppedBy() ?? []),
    close: async (): Promise<void> => {
      await Promise.all(processes.map((process) => process.close()));
      await pool?.close();
    },
  };
};

const nameInferenceOf = (config: Config): NameInference & { readonly close: () => Promise<void> } => {
  const { name_model_url: url, name_model_timeout_seconds: timeout_seconds } = config;
  const model =
    url === null
      ? embeddedNameModel()
      : chatNameModel({
          url,
          api_key: config.name_model_api_key,
          model: config.name_model_name,
          timeout_seconds,
          context_tokens: config.name_model_context_tokens,
        });
  return {
    model,
    price: { base: config.price_name_inference_base, per_1k_tokens: config.price_name_inference_per_1k_tokens },
    timeout_seconds,
    running: runningInferences(),
    close: model.close,
  };
};

const readinessOf = (app: Application, readModels: ReadModels, stopped: () => ReadonlyArray<string>) => async () => {
  const head = await app.store.head()();
  const { caught_up, failure } = readModels.status();
  const reasons = [
    ...(E.isLeft(head) ? ['the event store cannot be reached'] : []),
    ...(caught_up ? [] : ['the read models are catching up']),
    ...(failure === null ? [] : [`the read models stopped: ${failure.reason}`]),
    ...stopped(),
  ];
  return { ready: reasons.length === 0, reasons };
};

/** Waits until the read models show all that the log holds now. */
const upToDate = async (app: Application, readModels: ReadModels): Promise<void> => {
  const head = await app.store.head()();
  if (E.isRight(head) && head.right !== null) await readModels.queries.reached(head.right, rebuild)();
};

/** Resolves once the key is known to every request that follows. */
const adminKeyOf = async (app: Application, readModels: ReadModels, config: Config, log: Log) => {
  await upToDate(app, readModels);
  const known = await readModels.queries.hasAdminKey()();
  const made = await firstAdmin(app, config.admin_api_key !== null || (E.isRight(known) && known.right))();
  await upToDate(app, readModels);
  if (E.isLeft(made)) log.error('no admin key could be made', { failure: made.left._tag });
  return E.isRight(made) ? made.right : null;
};

/** Starts the service as configured. Rejects when the port or the data folder cannot be had. */
export const startService = async (config: Config): Promise<RunningService> => {
  const log = pinoLog(config.log_level);
  mkdirSync(config.data_dir, { recursive: true });
  const events = openSqliteEventStore({
    file: join(config.data_dir, 'events.db'),
    onTrouble: ({ reason }) => log.warn('event store', { reason }),
  });
  const { store } = events;
  const app: Application = {
    ...aggregates(store),
    store,
    ids: systemIds,
    clock: systemClock,
    log,
    stale_seconds: config.match_stale_seconds,
  };
  const readModels = openReadModels({ file: join(config.data_dir, 'read-models.db'), store, log });
  const processes = processesOf(app, events, config);
  const inference = nameInferenceOf(config);
  const head = await store.head()();
  const server = createApp({
    app,
    queries: readModels.queries,
    authenticate: authenticator(readModels.queries, systemIds.digest, config.admin_api_key),
    readiness: readinessOf(app, readModels, processes.stopped),
    inference,
    startedAt: E.isRight(head) ? head.right : null,
  });
  const listening = await listen(server, config.host, config.port);
  log.info('listening', { url: listening.url });
  return {
    url: listening.url,
    firstAdminKey: await adminKeyOf(app, readModels, config, log),
    stop: async () => {
      await listening.close(patience);
      await Promise.race([inference.running.ended(), setTimeout(patience, undefined, { ref: false })]);
      await processes.close();
      await inference.close();
      await readModels.close();
      await events.close();
      log.info('stopped');
    },
  };
};
