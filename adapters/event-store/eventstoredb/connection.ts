import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { backoff } from '../../../application/waiting.js';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Log } from '../../../application/ports/log.js';
import { tryInTime, pause, withJitter } from '../../runtime/clock.js';
import type { Address } from './address.js';
import { type Client, authorityOf, createClient } from './client.js';
import {
  type CallFailure,
  type ConnectionError,
  callFailureOf,
  concernOf,
  describeFailure,
  diagnose,
  isTransient,
  unreachable,
} from './errors.js';

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
  /** Answers pending calls, refuses all others, and ends the connection. */
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

export const closedStore: StoreUnavailable = { _tag: 'StoreUnavailable', reason: 'the event store is closed' };

const probeTimeoutMs = 3_000;
const closeTimeoutMs = 1_000;
const maxRedirects = 3;
const retryPausesMs = { min: 20, max: 1_000 };
const reconnectPausesMs = { min: 50, max: 1_000 };

/** Retries redirects: after `NotLeader` the client connects to the leader with the next call. */
const attempt = async <A>(client: Client, work: Call<A>, within_ms: number): Promise<E.Either<CallFailure, A>> => {
  const end = performance.now() + within_ms;
  for (let left = maxRedirects; ; left -= 1) {
    const remaining = Math.max(1, end - performance.now());
    const answer = await tryInTime(() => work(client, remaining), remaining);
    if (E.isRight(answer)) return answer;
    const failure = callFailureOf(answer.left);
    if (failure._tag !== 'NotLeader' || left === 0) return E.left(failure);
  }
};

/** Why the server is unavailable, as far as it is known. */
const createDiagnosis = (address: Address, log: Log, closing: AbortSignal) => {
  const authority = authorityOf(address);
  let error: ConnectionError | null = null;
  let looks = 0;
  const warn = (found: ConnectionError): void => {
    if (error?.message !== found.message) log.warn('the event store cannot be used', { reason: found.message });
    error = found;
  };
  const learn = (failure: CallFailure): void => {
    error = describeFailure(failure, address) ?? error;
  };
  return {
    error: () => error,
    warn,
    learn,
    begin: (failure: CallFailure): void => {
      learn(failure);
      log.warn('the connection to the event store is lost', { reason: error?.message ?? failure.reason });
      error ??= unreachable(address, failure.reason);
      const look = (looks += 1);
      void diagnose(address, authority, closing).then((found) => {
        if (look === looks && found !== null) warn(found);
      });
    },
    end: (): void => {
      looks += 1;
      error = null;
    },
  };
};

/** The current client, and whether its server is available. Each loss and return of it is logged once. */
const createServerLink = ({ address, log, probe, onReturn }: Settings) => {
  const probe_ms = Math.min(address.deadline, probeTimeoutMs);
  const closing = new AbortController();
  const diagnosis = createDiagnosis(address, log, closing.signal);
  let client = createClient(address);
  /** `since` is as returned by `performance.now()`. */
  let outage: { readonly since: number; readonly ended: Promise<void> } | null = null;
  let suspected: Client | null = null;
  /** Emits `change` at the end of an outage and when this is closed. */
  const changes = new EventEmitter().setMaxListeners(0);

  /** Replaces the client and asks the server once whether it answers. */
  const reconnect = async (): Promise<boolean> => {
    const next = E.tryCatch(() => createClient(address), callFailureOf);
    // A certificate file may be missing while it is replaced.
    if (E.isLeft(next)) {
      diagnosis.warn({ message: next.left.reason, isTransient: true });
      return false;
    }
    void client.release().catch(constVoid);
    client = next.right;
    const answer = await attempt(client, probe, probe_ms);
    if (E.isLeft(answer)) diagnosis.learn(answer.left);
    return E.isRight(answer);
  };
  const untilBack = async (since: number): Promise<void> => {
    const pauses = backoff(reconnectPausesMs.min, reconnectPausesMs.max);
    do {
      await pause(withJitter(pauses.next()), closing.signal);
      if (closing.signal.aborted) return;
    } while (!(await reconnect()));
    outage = null;
    diagnosis.end();
    log.info('the connection to the event store is back', { outage_ms: Math.round(performance.now() - since) });
    changes.emit('change');
    onReturn();
  };
  const lose = (failure: CallFailure): void => {
    if (closing.signal.aborted) return;
    if (outage !== null) return diagnosis.learn(failure);
    diagnosis.begin(failure);
    const since = performance.now();
    outage = { since, ended: untilBack(since) };
  };
  /** A single call without an answer may be due to the server or to the call; another call tells which. */
  const verify = async (by: Client): Promise<void> => {
    if (suspected === by) return;
    suspected = by;
    const answer = await attempt(by, probe, probe_ms);
    if (suspected === by) suspected = null;
    if (E.isLeft(answer) && by === client && concernOf(answer.left) !== 'this call') lose(answer.left);
  };
  return {
    client: () => client,
    error: diagnosis.error,
    outage: () => outage,
    failed: (failure: CallFailure, by: Client): void => {
      if (by !== client) return;
      const concern = concernOf(failure);
      if (concern === 'unclear') void verify(by);
      if (concern === 'all calls') lose(failure);
    },
    answering: async (within_ms: number, signal?: AbortSignal): Promise<boolean> => {
      if (outage !== null && within_ms > 0 && !closing.signal.aborted) {
        const signals = [AbortSignal.timeout(Math.ceil(within_ms)), ...(signal === undefined ? [] : [signal])];
        await once(changes, 'change', { signal: AbortSignal.any(signals) }).catch(constVoid);
      }
      return outage === null && !closing.signal.aborted;
    },
    close: async () => {
      closing.abort();
      changes.emit('change');
      await outage?.ended;
      await tryInTime(() => client.release(), closeTimeoutMs);
    },
  };
};

/** Connects with the first call. Throws when a certificate file is missing. */
export const openConnection = (settings: Settings): Connection => {
  const { deadline } = settings.address;
  const { outage, ...link } = createServerLink(settings);
  const tried = async <A>(work: Call<A>, end: number): Promise<E.Either<CallFailure, A>> => {
    const current = outage();
    if (current !== null && !(await link.answering(Math.min(current.since + deadline, end) - performance.now())))
      return E.left({ _tag: 'NotSent', reason: link.error()?.message ?? 'the event store cannot be reached' });
    const by = link.client();
    const answer = await attempt(by, work, end - performance.now());
    if (E.isLeft(answer)) link.failed(answer.left, by);
    return answer;
  };
  const untilKnown: Connection['call'] = async (work, within_ms = deadline) => {
    const end = performance.now() + within_ms;
    for (const pauses = backoff(retryPausesMs.min, retryPausesMs.max); ;) {
      const answer = await tried(work, end);
      const wait = withJitter(pauses.next());
      if (E.isRight(answer) || !isTransient(answer.left) || end - performance.now() <= wait) return answer;
      await sleep(wait);
    }
  };
  const pending = new Set<Promise<unknown>>();
  let isClosed = false;
  return {
    ...link,
    deadline,
    call: async (...given) => {
      if (isClosed) return E.left({ _tag: 'NotSent', reason: closedStore.reason });
      const answer = untilKnown(...given);
      pending.add(answer);
      return answer.finally(() => pending.delete(answer));
    },
    close: async () => {
      isClosed = true;
      await Promise.all(pending);
      await link.close();
    },
  };
};
