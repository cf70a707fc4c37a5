import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Log } from '../../../application/ports/log.js';
import type { Address } from './address.js';
import { type CallFailure, callFailureOf } from './call-failure.js';
import { type Client, createClient } from './client.js';
import { inTime } from './in-time.js';
import { createOutages } from './outages.js';

type Call<A> = (client: Client, deadline_ms: number) => Promise<A>;

/** The way to the server, which knows whether it is open. */
export interface Connection {
  /**
   * Makes a call, within a number of milliseconds, the address's deadline unless told. While the server is away it
   * fails at once, but for the first second of an outage, which it waits for.
   */
  readonly call: <A>(work: Call<A>, within_ms?: number) => Promise<E.Either<CallFailure, A>>;
  /** Told of a failure that a subscription met. */
  readonly failed: (failure: CallFailure, client: Client) => void;
  /** Resolves with whether the server answers, as soon as it does, or after so many milliseconds, or when aborted. */
  readonly answering: (within_ms: number, signal?: AbortSignal) => Promise<boolean>;
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
}

/** An outage that is over so soon is waited for. */
const blip = 1_000;
const probeDeadline = 3_000;
const closingTime = 1_000;
const redirects = 3;

const isOutage = (failure: CallFailure): failure is Extract<CallFailure, { _tag: 'Away' | 'NotLeader' | 'Denied' }> =>
  failure._tag === 'Away' || failure._tag === 'NotLeader' || failure._tag === 'Denied';

/** The client follows a redirect by itself, with the next call. */
const attempt = async <A>(client: Client, work: Call<A>, within_ms: number): Promise<E.Either<CallFailure, A>> => {
  const end = performance.now() + within_ms;
  for (let left = redirects; ; left -= 1) {
    const remaining = Math.max(1, end - performance.now());
    const answer = await inTime(() => work(client, remaining), remaining);
    if (E.isRight(answer)) return answer;
    const failure = callFailureOf(answer.left);
    if (failure._tag !== 'NotLeader' || left === 0) return E.left(failure);
  }
};

/** Opens the connection with the first call. Throws when a certificate's file is missing. */
export const openConnection = ({ address, log, probe }: Settings): Connection => {
  let client = createClient(address);
  const outages = createOutages(log, async () => {
    const last = client;
    client = createClient(address);
    void last.release().catch(constVoid);
    return E.isRight(await attempt(client, probe, Math.min(address.deadline, probeDeadline)));
  });
  const failed = (failure: CallFailure, by: Client): void => {
    if (by === client && isOutage(failure)) outages.begin(failure.reason);
  };
  return {
    call: async (work, within_ms = address.deadline) => {
      const since = outages.since();
      if (since !== null && !(await outages.over(since + blip - performance.now())))
        return E.left({ _tag: 'NotSent', reason: 'the event store is away' });
      const by = client;
      const answer = await attempt(by, work, within_ms);
      if (E.isLeft(answer)) failed(answer.left, by);
      return answer;
    },
    failed,
    answering: outages.over,
    client: () => client,
    deadline: address.deadline,
    close: async () => {
      await outages.close();
      await inTime(() => client.release(), closingTime);
    },
  };
};
