import * as E from 'fp-ts/lib/Either.js';
import type { Application } from '../../application/application.js';
import type { RealtimeEngine } from '../../application/ports/realtime-engine.js';
import { recoverSessions } from '../../application/realtime/abandon-session.js';
import { openResults } from '../../application/realtime/open-results.js';
import { type Realtime, realtimeOf } from '../../application/realtime/realtime.js';
import { endAllSessions } from '../../application/realtime/end-session.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Config } from '../config/config.js';
import type { Upgrade } from '../http/server.js';
import { resultsPath } from '../http/routes/realtime.js';
import { instanceIn } from '../instance/instance.js';
import { relayCredentials } from '../realtime/relay-credentials.js';
import { steadyTimers } from '../runtime/timers.js';
import { resultsSocket } from '../realtime/results-socket/results-socket.js';

/** The realtime sessions of one service, with their sockets. */
export interface RealtimeService {
  readonly realtime: Realtime;
  readonly upgradeOf: Upgrade;
  /** Ends the sessions of an earlier process on the same data. Call it before any request is served. */
  readonly recover: () => Promise<void>;
  /** Ends every session. It may be called again, since new sessions may begin while pending requests finish. */
  readonly endAll: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Composes realtime sessions from an engine, timers and relays. `onWrite` is called for writes that no request caused.
 */
export const realtimeService = (
  app: Application,
  { realtime: config, data_dir }: Pick<Config, 'realtime' | 'data_dir'>,
  engine: RealtimeEngine,
  onWrite: (position: Position) => void,
): RealtimeService => {
  const instance = instanceIn(data_dir, app.ids.random);
  if (instance.is_guest) app.log.warn('another service runs on this data folder: give each one of its own');
  const realtime = realtimeOf({
    engine,
    timers: steadyTimers(),
    iceServers: relayCredentials(config),
    settings: config,
    instance_id: instance.id,
    onWrite,
  });
  const socket = resultsSocket({
    open: (request, listener) => openResults(app, realtime, request, listener)(),
    ping_seconds: config.ping_seconds,
    allowed_origins: config.allowed_origins.map((origin) => origin.toLowerCase()),
  });
  return {
    realtime,
    upgradeOf: (path) => (path === resultsPath ? socket.upgrade : null),
    recover: async () => {
      const recovered = await recoverSessions(app, realtime)();
      if (E.isLeft(recovered)) app.log.error('realtime sessions were not recovered', { failure: recovered.left._tag });
      else if (recovered.right > 0)
        app.log.info('ended the sessions of the previous process', { sessions: recovered.right });
    },
    endAll: () => endAllSessions(app, realtime),
    close: async () => {
      await socket.close();
      await engine.shutDown();
      instance.leave();
    },
  };
};
