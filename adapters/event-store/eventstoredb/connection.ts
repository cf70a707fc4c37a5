import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { backoff } from '../../../application/queue-and-backoff.js';
import type { Log } from '../../../application/ports/log.js';
import { pause, tryInTime, withJitter } from '../../runtime/clock.js';
import type { Address } from './address.js';
import { type Client, createClient } from './client.js';
import { type ConnectionError, describeFailure, diagnose, unreachable } from './diagnosis.js';
import { type CallFailure, callFailureOf, notMade, unavailable } from './errors.js';

export type Call<A> = (client: Client, deadline_ms: number) => Promise<A>;

/** The connection to the server, which tracks whether the server is available. */
export interface Connection {
  /**
   * Makes a call within a number of milliseconds, by default the address's deadline. Transient failures are retried
   * with a backoff within that time, so the call must be idempotent. During an outage calls wait for the server, but
   * they fail at once when it has been unavailable for longer than the deadline.
   */
  readonly call: <A>(work: Call<A>, within_ms?: number) => Promise<E.Either<CallFailure, A>>;
  /** Reports a failure that a subscription met. */
  readonly failed: (failure: CallFailure, client: Client) => void;
  /** Resolves with whether the server answers: as soon as it does, after `within_ms`, or when aborted. */
  readonly answering: (within_ms: number, signal?: AbortSignal) => Promise<boolean>;
  /** Why the server is unavailable; null while it is available. */
  readonly error: () => ConnectionError | null;
  readonly client: () => Client;
  /** Milliseconds. */
  readonly deadline: number;
  /** Refuses all further calls, and ends the connection. */
  readonly close: () => Promise<void>;
}

interface Settings {
  readonly address: Address;
  readonly log: Log;
  /** A cheap call that shows whether the server answers and accepts the credentials. */
  readonly probe: Call<unknown>;
  /** Called each time the server answers again after an outage. */
  readonly onReturn: () => void;
}

export const closedStore = unavailable('the event store is closed');

const probeTimeoutMs = 3_000;
const closeTimeoutMs = 1_000;
const maxRedirects = 3;
const retryPausesMs = { min: 20, max: 1_000 };
const reconnectPausesMs = { min: 50, max: 1_000 };

/** Makes a call once, but follows redirects: after `NotLeader` the client connects to the leader with the next call. */
const attempt = async <A>(
  client: Client,
  work: Call<A>,
  within_ms: number,
  redirects = maxRedirects,
): Promise<E.Either<CallFailure, A>> => {
  const end = performance.now() + within_ms;
  const answer = E.mapLeft(callFailureOf)(await tryInTime(() => work(client, within_ms), within_ms));
  if (E.isRight(answer) || answer.left._tag !== 'NotLeader' || redirects === 0) return answer;
  return attempt(client, work, Math.max(1, end - performance.now()), redirects - 1);
};

interface Outage {
  /** As returned by `performance.now()`. */
  readonly since: number;
  /** The cause, as far as it is known. */
  error: ConnectionError;
}

/** The current client, and whether its server is available. Each loss and return of it is logged once. */
const createServerLink = ({ address, log, probe, onReturn }: Settings) => {
  const probe_ms = Math.min(address.defaultDeadline, probeTimeoutMs);
  const closing = new AbortController();
  let client = createClient(address);
  let outage: Outage | null = null;
  let suspected: Client | null = null;
  /** Emits `back` at the end of an outage. */
  const changes = new EventEmitter().setMaxListeners(0);

  /** Asks the server with a new client after each pause, until it answers. */
  const reconnect = async (lost: Outage): Promise<void> => {
    const pauses = backoff(reconnectPausesMs.min, reconnectPausesMs.max);
    for (let isBack = false; !isBack;) {
      await pause(withJitter(pauses.next()), closing.signal);
      if (closing.signal.aborted) return;
      void client.release().catch(constVoid);
      client = createClient(address);
      const answer = await attempt(client, probe, probe_ms);
      isBack = E.isRight(answer);
      if (E.isLeft(answer)) lost.error = describeFailure(answer.left, address) ?? lost.error;
    }
    outage = null;
    log.info('the connection to the event store is back', { outage_ms: Math.round(performance.now() - lost.since) });
    changes.emit('back');
    onReturn();
  };
  const lose = (failure: CallFailure): void => {
    if (closing.signal.aborted) return;
    const described = describeFailure(failure, address);
    if (outage !== null) {
      outage.error = described ?? outage.error;
      return;
    }
    const lost = { since: performance.now(), error: described ?? unreachable(address, failure) };
    outage = lost;
    log.warn('the connection to the event store is lost', { reason: lost.error.message });
    void diagnose(address, closing.signal).then((found) => {
      if (found === null || outage !== lost) return;
      log.warn('the event store cannot be used', { reason: found.message });
      lost.error = found;
    });
    void reconnect(lost);
  };
  /** A single call without an answer may be due to the server or to the call; another call tells which. */
  const verify = async (by: Client): Promise<void> => {
    if (suspected === by) return;
    suspected = by;
    const answer = await attempt(by, probe, probe_ms);
    if (suspected === by) suspected = null;
    if (E.isLeft(answer) && by === client && answer.left.concerns !== 'this call') lose(answer.left);
  };
  return {
    client: () => client,
    outage: () => outage,
    failed: (failure: CallFailure, by: Client): void => {
      if (by !== client) return;
      if (failure.concerns === 'unclear') void verify(by);
      if (failure.concerns === 'all calls') lose(failure);
    },
    answering: async (within_ms: number, signal = closing.signal): Promise<boolean> => {
      if (outage !== null && within_ms > 0 && !closing.signal.aborted) {
        const ends = [AbortSignal.timeout(Math.ceil(within_ms)), closing.signal, signal];
        await once(changes, 'back', { signal: AbortSignal.any(ends) }).catch(constVoid);
      }
      return outage === null && !closing.signal.aborted;
    },
    close: async (): Promise<void> => {
      closing.abort();
      await tryInTime(() => client.release(), closeTimeoutMs);
    },
  };
};

/** Connects with the first call. */
export const openConnection = (settings: Settings): Connection => {
  const deadline = settings.address.defaultDeadline;
  const { outage, ...link } = createServerLink(settings);
  const call: Connection['call'] = async (work, within_ms = deadline) => {
    const end = performance.now() + within_ms;
    for (const pauses = backoff(retryPausesMs.min, retryPausesMs.max); ;) {
      const patience = Math.min((outage()?.since ?? Infinity) + deadline, end) - performance.now();
      if (!(await link.answering(patience))) return E.left(notMade(outage()?.error.message ?? closedStore.reason));
      const by = link.client();
      const answer = await attempt(by, work, Math.max(1, end - performance.now()));
      if (E.isRight(answer)) return answer;
      link.failed(answer.left, by);
      const wait = withJitter(pauses.next());
      if (!answer.left.isTransient || end - performance.now() <= wait) return answer;
      await sleep(wait);
    }
  };
  return { ...link, call, deadline, error: () => outage()?.error ?? null };
};
