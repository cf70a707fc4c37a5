import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Log } from '../../../application/ports/log.js';
import { backoff } from '../../../application/backoff.js';
import { tryInTime } from '../../runtime/deadline.js';
import { withJitter } from '../../runtime/pause.js';
import type { Address } from './address.js';
import { type CallFailure, callFailureOf, concernOf, mayPass } from './call-failure.js';
import { createCallLimit } from './call-limit.js';
import { type Client, authorityOf, createClient } from './client.js';
import type { Trouble } from './diagnose.js';
import { createOutages } from './outages.js';
import { createTroubles } from './troubles.js';

type Call<A> = (client: Client, deadline_ms: number) => Promise<A>;

/** The way to the server, which knows whether it is open. */
export interface Connection {
  /**
   * Makes a call, within a number of milliseconds, the address's deadline unless told. What may pass is tried again
   * within that time, after pauses that grow: so the call must do no harm when it is made twice. During an outage a call
   * waits for the server, but once that is away for longer than the deadline it fails at once.
   */
  readonly call: <A>(work: Call<A>, within_ms?: number) => Promise<E.Either<CallFailure, A>>;
  /** Told of a failure that a subscription met. */
  readonly failed: (failure: CallFailure, client: Client) => void;
  /** Resolves with whether the server answers, as soon as it does, or after so many milliseconds, or when aborted. */
  readonly answering: (within_ms: number, signal?: AbortSignal) => Promise<boolean>;
  /** Why the server cannot be used; null while it can. */
  readonly trouble: () => Trouble | null;
  readonly client: () => Client;
  /** Milliseconds. */
  readonly deadline: number;
  readonly close: () => Promise<void>;
}

interface Settings {
  readonly address: Address;
  readonly log: Log;
  /** A cheap call that shows whether the server answers and lets us in. */
  readonly probe: Call<unknown>;
  /** Told each time that the server answers after an outage. */
  readonly onReturn: () => void;
}

const probeDeadline = 3_000;
const closingTime = 1_000;
const redirects = 3;
const shortestPause = 20;
const longestPause = 1_000;

/** The client follows a redirect by itself, with the next call. */
const attempt = async <A>(client: Client, work: Call<A>, within_ms: number): Promise<E.Either<CallFailure, A>> => {
  const end = performance.now() + within_ms;
  for (let left = redirects; ; left -= 1) {
    const remaining = Math.max(1, end - performance.now());
    const answer = await tryInTime(() => work(client, remaining), remaining);
    if (E.isRight(answer)) return answer;
    const failure = callFailureOf(answer.left);
    if (failure._tag !== 'NotLeader' || left === 0) return E.left(failure);
  }
};

const reasonOf = (failure: CallFailure): string => ('reason' in failure ? failure.reason : failure._tag);

/** The client in use, and what is known of its server. */
const createLink = ({ address, log, probe, onReturn }: Settings) => {
  const probe_ms = Math.min(address.deadline, probeDeadline);
  const troubles = createTroubles(address, authorityOf(address), log);
  let client = createClient(address);
  let suspected: Client | null = null;
  const outages = createOutages(log, {
    isBack: async () => {
      const last = client;
      client = createClient(address);
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
  /** One call without an answer may be the server's end or its own: another one tells. */
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
      await tryInTime(() => client.release(), closingTime);
    },
  };
};

/** Opens the connection with the first call. Throws when a certificate's file is missing. */
export const openConnection = (settings: Settings): Connection => {
  const { deadline } = settings.address;
  const { outages, trouble, client, failed, close } = createLink(settings);
  const limit = createCallLimit();
  const once = async <A>(work: Call<A>, end: number): Promise<E.Either<CallFailure, A>> => {
    const outage = outages.current();
    if (outage !== null && !(await outages.over(Math.min(outage.since + deadline, end) - performance.now())))
      return E.left({ _tag: 'NotSent', reason: trouble()?.words ?? outage.reason });
    if (!(await limit.enter(end - performance.now())))
      return E.left({ _tag: 'Busy', reason: 'too many calls wait for the event store' });
    const by = client();
    const answer = await attempt(by, work, end - performance.now());
    limit.leave(E.isLeft(answer) && answer.left._tag === 'Busy');
    if (E.isLeft(answer)) failed(answer.left, by);
    return answer;
  };
  return {
    call: async (work, within_ms = deadline) => {
      const end = performance.now() + within_ms;
      for (const pauses = backoff(shortestPause, longestPause); ;) {
        const answer = await once(work, end);
        const wait = withJitter(pauses.next());
        if (E.isRight(answer) || !mayPass(answer.left) || end - performance.now() <= wait) return answer;
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
