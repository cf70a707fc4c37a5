import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { Log } from '../../../application/ports/log.js';
import { backoff } from '../../../application/backoff.js';
import { reasonOf } from '../../../application/failures.js';
import { tryInTime } from '../../runtime/deadline.js';
import { withJitter } from '../../runtime/pause.js';
import type { Address } from './address.js';
import { type CallFailure, callFailureOf, concernOf, isTransient } from './call-failure.js';
import { createCallLimit } from './call-limit.js';
import { type Client, authorityOf, createClient } from './client.js';
import type { Trouble } from './diagnose.js';
import { createOutages } from './outages.js';
import { type Troubles, createTroubles } from './troubles.js';

type Call<A> = (client: Client, deadline_ms: number) => Promise<A>;

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
  readonly trouble: () => Trouble | null;
  readonly client: () => Client;
  /** Milliseconds. */
  readonly deadline: number;
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

const probeTimeoutMs = 3_000;
const closeTimeoutMs = 1_000;
const maxRedirects = 3;
const minPauseMs = 20;
const maxPauseMs = 1_000;

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

/** Another client, or null if none can be made: a certificate file may be missing while it is replaced. */
const nextClient = (address: Address, { prevented }: Troubles): Client | null =>
  pipe(
    E.tryCatch(() => createClient(address), callFailureOf),
    E.getOrElseW((failure) => {
      prevented(reasonOf(failure));
      return null;
    }),
  );

/** The current client and what is known about its server. */
const createServerLink = ({ address, log, probe, onReturn }: Settings) => {
  const probe_ms = Math.min(address.deadline, probeTimeoutMs);
  const troubles = createTroubles(address, authorityOf(address), log);
  let client = createClient(address);
  let suspected: Client | null = null;
  const outages = createOutages(log, {
    isBack: async () => {
      const next = nextClient(address, troubles);
      if (next === null) return false;
      const last = client;
      client = next;
      void last.release().catch(constVoid);
      const answer = await attempt(client, probe, probe_ms);
      if (E.isLeft(answer)) troubles.failed(answer.left);
      return E.isRight(answer);
    },
    onLoss: troubles.look,
    onReturn: () => {
      troubles.over();
      onReturn();
    },
  });
  const lose = (failure: CallFailure): void => {
    troubles.failed(failure);
    outages.begin(troubles.current()?.words ?? reasonOf(failure));
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
    outages,
    trouble: troubles.current,
    client: () => client,
    failed: (failure: CallFailure, by: Client): void => {
      if (by !== client) return;
      const concern = concernOf(failure);
      if (concern === 'unclear') void verify(by);
      if (concern === 'all calls') lose(failure);
    },
    close: async () => {
      await outages.close();
      troubles.close();
      await tryInTime(() => client.release(), closeTimeoutMs);
    },
  };
};

/** Connects with the first call. Throws when a certificate file is missing. */
export const openConnection = (settings: Settings): Connection => {
  const { deadline } = settings.address;
  const { outages, trouble, client, failed, close } = createServerLink(settings);
  const limit = createCallLimit();
  const once = async <A>(work: Call<A>, end: number): Promise<E.Either<CallFailure, A>> => {
    const outage = outages.current();
    if (outage !== null && !(await outages.over(Math.min(outage.since + deadline, end) - performance.now())))
      return E.left({ _tag: 'NotSent', reason: trouble()?.words ?? outage.reason });
    if (!(await limit.enter(end - performance.now())))
      return E.left({ _tag: 'Busy', reason: 'too many calls are waiting for the event store' });
    const by = client();
    const answer = await attempt(by, work, end - performance.now());
    limit.leave(E.isLeft(answer) && answer.left._tag === 'Busy');
    if (E.isLeft(answer)) failed(answer.left, by);
    return answer;
  };
  return {
    call: async (work, within_ms = deadline) => {
      const end = performance.now() + within_ms;
      for (const pauses = backoff(minPauseMs, maxPauseMs); ;) {
        const answer = await once(work, end);
        const wait = withJitter(pauses.next());
        if (E.isRight(answer) || !isTransient(answer.left) || end - performance.now() <= wait) return answer;
        await setTimeout(wait);
      }
    },
    failed,
    answering: outages.over,
    trouble,
    client,
    deadline,
    close,
  };
};
