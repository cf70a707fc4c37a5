import * as E from 'fp-ts/lib/Either.js';
import { LRUCache } from 'lru-cache';
import type { MatchWorker } from '../../application/processes/answer-match-runs.js';
import { finishErasures } from '../../application/processes/reaction-process.js';
import { type Application, aggregates } from '../../application/application.js';
import { application } from '../../application/perform.js';
import { type NameInference, runningInferences } from '../../application/name-inference/name-inference.js';
import { watchedModel } from '../../application/name-inference/watched-model.js';
import type { Clock } from '../../application/ports/clock.js';
import type { Log } from '../../application/ports/log.js';
import type { RequestEvents } from '../../application/ports/request-events.js';
import type { RealtimeEngine } from '../../application/ports/realtime-engine.js';
import { indexedRequestEvents } from '../../application/use-cases/undo/indexed-request-events.js';
import { environmentKeyId } from '../../application/commands/context.js';
import type { KeyId } from '../../domain/kernel/ids.js';
import { systemClock } from '../runtime/clock.js';
import type { Config } from '../config/config.js';
import type { DataChecks } from './data-checks.js';
import { type DataFiles, openDataFiles } from './data-files.js';
import { firstAdminKey, onceStoreAnswers } from './first-steps.js';
import { authenticator } from '../http/authenticate.js';
import { createApp } from '../http/create-app.js';
import { listen } from '../http/server.js';
import { freshness } from '../http/service.js';
import { systemIds } from '../runtime/ids.js';
import { type Threads, startThreads } from '../runtime/threads.js';
import { providerDocuments } from '../import/provider-documents.js';
import { pinoLog } from '../log/pino-log.js';
import { chatNameModel } from '../name-model/chat/chat-name-model.js';
import { threadedGrounder } from '../name-model/grounder.js';
import { embeddedNameModel } from '../name-model/embedded/embedded-name-model.js';
import { remoteEngine } from '../realtime/remote-engine.js';
import { realtimeService } from './realtime-service.js';
import { stopInTime } from '../runtime/stop-in-time.js';
import { startProcesses } from './processes.js';
import { readinessOf } from './readiness.js';
import { embeddedEngine } from '../realtime/webrtc/embedded-engine.js';
import { checkedEngine } from '../realtime/webrtc/signalling/checked-engine.js';

export interface RunningService {
  readonly url: string;
  /** The port on which EventStoreDB clients can read the log; null if that is turned off. */
  readonly eventStorePort: number | null;
  /**
   * The admin key that this start generated, to be shown once; null if there was one already. Resolves once the event
   * store answers, which may be unreachable at the start.
   */
  readonly firstAdminKey: Promise<string | null>;
  /** Stops accepting requests, finishes those in flight, and closes everything, in less than 10 s in all cases. */
  readonly stop: () => Promise<void>;
}

interface WatchedInference extends NameInference {
  /** For `/readyz`: whether the model gave no usable answer when it was last asked. */
  readonly warnings: () => ReadonlyArray<string>;
  readonly close: () => Promise<void>;
}

const nameInferenceOf = (config: Config, threads: Threads): WatchedInference => {
  const { name_model_url: url, name_model_timeout_seconds: timeout_seconds } = config;
  const model =
    url === null
      ? { ...embeddedNameModel(threads), close: () => Promise.resolve() }
      : chatNameModel({
          url,
          api_key: config.name_model_api_key,
          model: config.name_model_name,
          timeout_seconds,
          context_tokens: config.name_model_context_tokens,
        });
  const watched = watchedModel(model);
  return {
    model: watched.model,
    warnings: () =>
      watched.isFailing()
        ? ['the name model gave no usable answer when it was last asked; the log says why (NAME_MODEL_URL)']
        : [],
    ground: threadedGrounder(threads),
    price: { base: config.price_name_inference_base, per_1k_tokens: config.price_name_inference_per_1k_tokens },
    timeout_seconds,
    running: runningInferences(),
    close: model.close,
  };
};

/** The number of events whose reactions are remembered as run. */
const maxReacted = 10_000;

const applicationOf = (
  { events: { store, onErasure, keys }, readModels }: DataFiles,
  requestEvents: RequestEvents,
  log: Log,
  config: Config,
  clock: Clock,
  onRunStarted: Application['onRunStarted'],
): Application =>
  application({
    ...aggregates(store, onErasure, readModels.snapshots),
    store,
    requestEvents,
    onErasure,
    keys,
    ids: systemIds,
    clock,
    log,
    reacted: new LRUCache({ max: maxReacted }),
    onRunStarted,
    stale_seconds: config.match_stale_seconds,
  });

/** What must be done before requests are served. */
const firstWork = (app: Application, recover: () => Promise<void>) => async (): Promise<void> => {
  const erased = await finishErasures(app);
  if (E.isLeft(erased)) app.log.error('erasures were not finished', { failure: erased.left._tag });
  await recover();
};

const environmentKeyOf = ({ admin_api_key }: Config): KeyId | null =>
  admin_api_key === null ? null : environmentKeyId(systemIds.digest(admin_api_key));

const loopback = /^(?:127\..*|::1|localhost)$/i;

/** A service that listens only on loopback has local clients, so media may come from loopback too. */
const engineOf = ({ host, realtime }: Config, log: Log): RealtimeEngine =>
  realtime.engine_url === null
    ? embeddedEngine({
        additionalAddresses: [...realtime.media_addresses, ...(loopback.test(host) ? ['127.0.0.1'] : [])],
        ...(realtime.media_ports === null ? {} : { portRange: [...realtime.media_ports] }),
        fault: (reason) => log.warn('a fault in a media thread', { reason }),
      })
    : remoteEngine(realtime.engine_url);

/** The application on its data, and its background processes. */
const startWork = (data: DataFiles, log: Log, config: Config, clock: Clock) => {
  const threads = startThreads();
  data.events.onErasure(threads.renew);
  const {
    events,
    readModels: { queries },
  } = data;
  const fresh = freshness(queries, events.store);
  const found = indexedRequestEvents(events.store, queries, fresh.upToHead);
  let worker: MatchWorker | null = null;
  const app = applicationOf(data, found, log, config, clock, (event) => worker?.offer(event));
  const processes = startProcesses(app, events, config, threads, { queries, upToHead: fresh.upToHead });
  ({ worker } = processes);
  return { queries, fresh, app, processes, threads, inference: nameInferenceOf(config, threads) };
};

/** Options of a start: checks of the data files that have begun already; an engine and a clock, for tests. */
interface Given {
  readonly checks?: DataChecks | undefined;
  readonly engine?: RealtimeEngine | undefined;
  readonly clock?: Clock | undefined;
}

/** Starts the service as configured. Rejects if the port or the data folder is not available. */
export const startService = async (
  config: Config,
  { checks, engine: given, clock = systemClock }: Given = {},
): Promise<RunningService> => {
  const log = pinoLog(config.log_level, config.log_format ?? (process.stderr.isTTY ? 'pretty' : 'json'));
  const engine = checkedEngine(given ?? engineOf(config, log), { allowsLoopback: loopback.test(config.host) });
  const data = await openDataFiles(config, log, checks);
  const { events, readModels } = data;
  const { queries, fresh, app, processes, threads, inference } = startWork(data, log, config, clock);
  const stopping = new AbortController();
  const sessions = realtimeService(app, config, engine, fresh.wrote);
  await onceStoreAnswers(app, events.vault, firstWork(app, sessions.recover), stopping.signal);
  const server = createApp({
    app,
    queries,
    authenticate: authenticator(queries, systemIds, clock, { ...config, ...fresh }),
    readiness: readinessOf(app, events, readModels, processes.stopped, inference.warnings),
    inference,
    documents: providerDocuments(threads),
    threads,
    realtime: sessions.realtime,
    address: config.realtime,
    freshness: fresh,
    cors_allowed_origins: config.cors_allowed_origins,
    max_requests_per_account: config.max_requests_per_account,
  });
  const listening = await listen(server, sessions.upgradeOf, config.host, config.port);
  log.info('listening', { url: listening.url });
  return {
    url: listening.url,
    eventStorePort: events.servedOn,
    firstAdminKey: firstAdminKey(app, readModels, environmentKeyOf(config), stopping.signal),
    stop: async () => {
      stopping.abort();
      readModels.endWaits();
      await stopInTime({
        finish: async (time_ms) => {
          await Promise.all([listening.close(time_ms), sessions.endAll()]);
          await sessions.endAll();
          await sessions.close();
          await inference.running.ended();
          await processes.close();
        },
        close: [inference.close, threads.close, data.close],
      });
      log.info('stopped');
    },
  };
};
