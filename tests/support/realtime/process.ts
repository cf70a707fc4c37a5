import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { aggregates } from '../../../application/application.js';
import { application } from '../../../application/reactions/run.js';
import { createSession, endLostSessions, endSession, negotiate } from '../../../application/realtime/sessions.js';
import { type Realtime, type RealtimeSettings, realtimeOf } from '../../../application/realtime/realtime.js';
import { bookCredits } from '../../../application/use-cases/credits/credits.js';
import type { EventStore } from '../../../application/ports/event-store.js';
import type { SessionId } from '../../../domain/kernel/ids.js';
import { type World, owner, world } from '../application/world.js';
import { credits, accountId, instanceId } from '../values.js';
import { succeeded } from '../event-store/stores.js';
import { type ManualTimers, atRest } from './manual-timers.js';
import { type ScriptedEngine, scriptedEngine } from './scripted-engine.js';

/** A process that holds realtime sessions, on a store that outlives it, with time that the test controls. */
export interface RealtimeProcess extends World {
  readonly realtime: Realtime;
  readonly engine: ScriptedEngine;
  /** The session, or null where it was refused. */
  readonly create: () => Promise<SessionId | null>;
  readonly connect: (id: SessionId) => Promise<boolean>;
  readonly end: (id: SessionId) => Promise<boolean>;
}

export const settings: RealtimeSettings = {
  max_sessions: 100,
  max_sessions_per_account: 100,
  price_per_minute: credits('0.7'),
  meter_seconds: 10,
  token_seconds: 600,
  session_seconds: 3_600,
  negotiation_seconds: 60,
  idle_seconds: 30,
};

let started = 0;

const resultOf = async <Refused, Result>(task: TaskEither<Refused, Result>): Promise<Result | null> => {
  const answer = await task();
  await atRest();
  return E.isRight(answer) ? answer.right : null;
};

/** Starts a process with the instance id of a data folder; `recovered` ends the sessions of an earlier process. */
export const realtimeProcess = (
  store: EventStore,
  timers: ManualTimers,
  overrides: Partial<RealtimeSettings> = {},
  instance = 'here',
): RealtimeProcess => {
  const place = world(store, `process ${(started += 1)}`);
  const app = application({ ...place.app, ...aggregates(store), clock: { now: timers.now } });
  const engine = scriptedEngine();
  const realtime = realtimeOf({
    app,
    engine,
    timers,
    iceServers: () => [],
    settings: { ...settings, ...overrides },
    instance_id: instanceId(instance),
    onWrite: () => undefined,
  });
  const request = () => place.request({ at: timers.now() });
  return {
    ...place,
    app,
    request,
    realtime,
    engine,
    create: async () => (await resultOf(createSession(realtime, request(), {})))?.session_id ?? null,
    connect: async (id) => {
      const answered = (await resultOf(negotiate(realtime, request(), id, 'v=0'))) !== null;
      if (answered) engine.report(id, { kind: 'media', state: 'connected' });
      await atRest();
      return answered;
    },
    end: async (id) => (await resultOf(endSession(realtime, request(), id))) !== null,
  };
};

export const recovered = async ({ realtime }: RealtimeProcess): Promise<number> => succeeded(endLostSessions(realtime));

export const granted = async ({ app, request }: RealtimeProcess, amount: string): Promise<void> => {
  await succeeded(bookCredits(app, request(), accountId(owner.account_id), credits(amount), 'for a test'));
};
