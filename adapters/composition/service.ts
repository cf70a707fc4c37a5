import * as E from 'fp-ts/lib/Either.js';
import { LRUCache } from 'lru-cache';
import { type MatchWorker, answerMatchRuns } from '../../application/processes/answer-match-runs.js';
import {
  type Sweep,
  finishErasures,
  reactionProcess,
  startSweep,
  giveUpOverdueInferences,
} from '../../application/processes/sweep.js';
import { type Application, aggregates } from '../../application/application.js';
import { indexedRequestEvents } from '../../application/use-cases/undo/find-change.js';
import { application } from '../../application/reactions/run.js';
import { keyedQueue } from '../../application/queue-and-backoff.js';
import type { Clock } from '../../application/ports/clock.js';
import type { Log } from '../../application/ports/log.js';
import type { RealtimeEngine } from '../../application/ports/realtime-engine.js';
import { environmentKeyId } from '../../application/commands/context.js';
import { steadyTimers, stopInTime, systemClock } from '../runtime/clock.js';
import type { Config } from '../config/config.js';
import type { DataCheck } from './data-checks.js';
import { type DataFiles, openDataFiles } from './data-files.js';
import { firstAdminKey, onceStoreAnswers } from './start-up.js';
import { authenticator } from '../http/request-head.js';
import { createApp } from '../http/create-app.js';
import { listen } from '../http/server.js';
import { freshness } from '../../application/queries/request-checks.js';
import { systemIds } from '../runtime/ids.js';
import { type Threads, startThreads } from '../runtime/threads.js';
import { providerDocuments } from '../import/provider-documents.js';
import { pinoLog } from '../log/pino-log.js';
import { chatNameModel } from '../name-model/chat/chat-name-model.js';
import { threadedGrounder, embeddedNameModel } from '../name-model/in-threads.js';
import { remoteEngine } from '../realtime/remote-engine.js';
import { embeddedEngine } from '../realtime/webrtc/embedded-engine.js';
import { checkedEngine } from '../realtime/webrtc/signalling/checked-engine.js';
import type { EventLog } from './event-log.js';
import type { Readiness } from '../http/open-endpoints.js';
import type { ReadModels } from '../read-models/open.js';
import { type RetentionNeeds, startRetention } from '../../application/processes/retention.js';
import { threadedComparison } from '../match-worker/comparison.js';
import { threadedMatcher } from '../match-worker/matcher.js';
import { endAllSessions, endLostSessions } from '../../application/realtime/sessions.js';
import { openResults } from '../../application/realtime/open-results.js';
import { realtimeOf } from '../../application/realtime/realtime.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { resultsPath } from '../http/routes/realtime.js';
import { instanceIn } from '../instance/instance.js';
import { relayCredentials } from '../realtime/relay-credentials.js';
import { resultsSocket } from '../realtime/results-socket.js';

/**
 * The realtime sessions of one service, with their sockets, from an engine, timers and relays. `onWrite` is called for
 * writes that no request caused.
 */
const realtimeService = (
  app: Application,
  { realtime: config, data_dir }: Pick<Config, 'realtime' | 'data_dir'>,
  engine: RealtimeEngine,
  onWrite: (position: Position) => void,
) => {
  const instance = instanceIn(data_dir, app.ids.random);
  if (instance.is_guest) app.log.warn('another service runs on this data folder: give each one of its own');
  const realtime = realtimeOf({
    app,
    engine,
    timers: steadyTimers(),
    iceServers: relayCredentials(config),
    settings: config,
    instance_id: instance.id,
    onWrite,
  });
  const socket = resultsSocket({
    open: (request, listener) => openResults(realtime, request, listener)(),
    ping_seconds: config.ping_seconds,
    allowed_origins: config.allowed_origins.map((origin) => origin.toLowerCase()),
  });
  return {
    realtime,
    upgradeOf: (path: string) => (path === resultsPath ? socket.upgrade : null),
    /** Ends the sessions of an earlier process on the same data. Call it before any request is served. */
    endLost: async (): Promise<void> => {
      const ended = await endLostSessions(realtime)();
      if (E.isLeft(ended))
        app.log.error('the sessions of the previous process were not ended', { failure: ended.left._tag });
      else if (ended.right > 0) app.log.info('ended the sessions of the previous process', { sessions: ended.right });
    },
    /** Ends every session. It may be called again, since new sessions may begin while pending requests finish. */
    endAll: () => endAllSessions(realtime),
    close: async (): Promise<void> => {
      await socket.close();
      await engine.shutDown();
      instance.leave();
    },
  };
};

/** After this time, in seconds, a request has run the reactions to its events, if it can. */
const reactionTime = 2;

/** The background processes: reactions, the embedded match worker, the sweep for overdue work, and retention. */
const startProcesses = (
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
    every(sweep_seconds, name_model_timeout_seconds + sweep_seconds, false, giveUpOverdueInferences(app)),
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

/** Why the event log cannot be used, as a sentence; null if it can be used. */
const storeProblem = async ({ store }: Application, { problem, vault }: EventLog): Promise<string | null> => {
  const known = problem();
  if (known !== null) return known;
  const head = await store.head()();
  if (E.isLeft(head)) return problem() ?? `the event store cannot be reached: ${head.left.reason}`;
  const checked = await vault.check()();
  return E.isLeft(checked) ? checked.left.reason : null;
};

/** Whether the service is ready: the log answers, the read models have caught up, and every process is running. */
const readinessOf =
  (app: Application, events: EventLog, readModels: ReadModels, stopped: () => ReadonlyArray<string>): Readiness =>
  async () => {
    const problem = await storeProblem(app, events);
    const { caught_up, failure } = readModels.status();
    const reasons = [
      ...(problem === null ? [] : [problem]),
      ...(caught_up ? [] : ['the read models are catching up']),
      ...(failure === null ? [] : [`the read models stopped: ${failure.reason}`]),
      ...stopped(),
    ];
    return { ready: reasons.length === 0, reasons, warnings: events.warnings() };
  };

const nameInferenceOf = (config: Config, threads: Threads) => {
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
  return {
    model,
    ground: threadedGrounder(threads),
    price: { base: config.price_name_inference_base, per_1k_tokens: config.price_name_inference_per_1k_tokens },
    timeout_seconds,
    running: keyedQueue(),
    close: model.close,
  };
};

/** The number of events whose reactions are remembered as run. */
const maxReacted = 10_000;

/** What must be done before requests are served. */
const firstWork = (app: Application, endLost: () => Promise<void>) => async (): Promise<void> => {
  const erased = await finishErasures(app);
  if (E.isLeft(erased)) app.log.error('erasures were not finished', { failure: erased.left._tag });
  await endLost();
};

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
  const {
    events,
    events: { store, onErasure, keys },
    readModels: { queries, snapshots },
  } = data;
  const threads = startThreads();
  onErasure(threads.renew);
  const fresh = freshness(queries, store);
  let worker: MatchWorker | null = null;
  const app = application({
    ...aggregates(store, onErasure, snapshots),
    store,
    requestEvents: indexedRequestEvents(store, queries, fresh.upToHead),
    onErasure,
    keys,
    ids: systemIds,
    clock,
    compare: threadedComparison(threads),
    log,
    reacted: new LRUCache({ max: maxReacted }),
    onRunStarted: (event) => worker?.offer(event),
    stale_seconds: config.match_stale_seconds,
  });
  const processes = startProcesses(app, events, config, threads, { queries, upToHead: fresh.upToHead });
  ({ worker } = processes);
  return { queries, fresh, app, processes, threads, inference: nameInferenceOf(config, threads) };
};

/** Options of a start: the check of the log that has begun already; an engine and a clock, for tests. */
interface Given {
  readonly check?: DataCheck | undefined;
  readonly engine?: RealtimeEngine | undefined;
  readonly clock?: Clock | undefined;
}

/** Starts the service as configured. Rejects if the port or the data folder is not available. */
export const startService = async (config: Config, { check, engine: given, clock = systemClock }: Given = {}) => {
  const log = pinoLog(config.log_level, config.log_format ?? (process.stderr.isTTY ? 'pretty' : 'json'));
  const engine = checkedEngine(given ?? engineOf(config, log), { allowsLoopback: loopback.test(config.host) });
  const data = await openDataFiles(config, log, check);
  const { events, readModels } = data;
  const { queries, fresh, app, processes, threads, inference } = startWork(data, log, config, clock);
  const stopping = new AbortController();
  const { admin_api_key } = config;
  const environmentKey = admin_api_key === null ? null : environmentKeyId(systemIds.digest(admin_api_key));
  const sessions = realtimeService(app, config, engine, fresh.wrote);
  await onceStoreAnswers(app, events.vault, firstWork(app, sessions.endLost), stopping.signal);
  const server = createApp({
    app,
    queries,
    authenticate: authenticator(queries, systemIds, clock, { ...config, ...fresh }),
    readiness: readinessOf(app, events, readModels, processes.stopped),
    inference,
    documents: providerDocuments(threads),
    threads,
    realtime: sessions.realtime,
    public_url: config.realtime.public_url,
    freshness: fresh,
    cors_allowed_origins: config.cors_allowed_origins,
    max_requests_per_account: config.max_requests_per_account,
  });
  const listening = await listen(server, sessions.upgradeOf, config.host, config.port);
  log.info('listening', { url: listening.url });
  return {
    url: listening.url,
    /** The port on which EventStoreDB clients can read the log; null if that is turned off. */
    eventStorePort: events.servedOn,
    /**
     * The admin key that this start generated, to be shown once; null if there was one already. Resolves once the event
     * store answers, which may be unreachable at the start.
     */
    firstAdminKey: firstAdminKey(app, readModels, environmentKey, stopping.signal),
    /** Stops accepting requests, finishes those in flight, and closes everything, in less than 10 s in all cases. */
    stop: async (): Promise<void> => {
      stopping.abort();
      readModels.endWaits();
      await stopInTime({
        finish: async (time_ms) => {
          await Promise.all([listening.close(time_ms), sessions.endAll()]);
          await sessions.endAll();
          await sessions.close();
          await inference.running.idle();
          await processes.close();
        },
        close: [inference.close, threads.close, data.close],
      });
      log.info('stopped');
    },
  };
};

export type RunningService = Awaited<ReturnType<typeof startService>>;
