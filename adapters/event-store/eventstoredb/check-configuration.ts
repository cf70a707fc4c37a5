import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Address } from './address.js';
import type { Client } from './client.js';
import type { Connection } from './connection.js';
import { troubleOf } from './troubles.js';

/** The deadline of one call. */
const callTimeoutMs = 500;
/** How long a fault must last before it counts: a server that is starting may not know its users yet. */
const minFaultMs = 1_500;
/** How long to look for the cause of an outage before it is taken to be temporary. */
const maxSearchMs = 2_500;
const pauseMs = 100;

/**
 * Resolves once the server answers, or is unavailable for a reason that may be temporary. Throws a description of the
 * problem if only another connection string can solve it.
 */
export const checkConfiguration = async (
  connection: Connection,
  address: Address,
  probe: (client: Client, deadline: number) => Promise<unknown>,
): Promise<void> => {
  const start = performance.now();
  let since: number | null = null;
  for (;;) {
    const answer = await connection.call(probe, callTimeoutMs);
    if (E.isRight(answer)) return;
    const trouble = troubleOf(answer.left, address) ?? connection.trouble();
    const now = performance.now();
    if (trouble === null || trouble.passing) {
      since = null;
      if (now - start >= maxSearchMs) return;
    } else {
      since ??= now;
      if (now - since >= minFaultMs) throw new Error(trouble.words);
    }
    await setTimeout(pauseMs);
  }
};
