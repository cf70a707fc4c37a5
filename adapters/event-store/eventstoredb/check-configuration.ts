import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { Address } from './address.js';
import type { Client } from './client.js';
import type { Connection } from './connection.js';
import { troubleOf } from './troubles.js';

/** One call may take so long. */
const patience_ms = 500;
/** A server that is starting may not know its users yet: so long a fault has to last before it counts. */
const lasting_ms = 1_500;
/** So long the cause of an outage is looked for before it counts as one that passes. */
const search_ms = 2_500;
const pause_ms = 100;

/**
 * Resolves once the server answers, or is away for a reason that may pass. Throws the trouble in words when nothing but
 * another connection string ends it.
 */
export const checkConfiguration = async (
  connection: Connection,
  address: Address,
  probe: (client: Client, deadline: number) => Promise<unknown>,
): Promise<void> => {
  const start = performance.now();
  let since: number | null = null;
  for (;;) {
    const answer = await connection.call(probe, patience_ms);
    if (E.isRight(answer)) return;
    const trouble = troubleOf(answer.left, address) ?? connection.trouble();
    const now = performance.now();
    if (trouble === null || trouble.passing) {
      since = null;
      if (now - start >= search_ms) return;
    } else {
      since ??= now;
      if (now - since >= lasting_ms) throw new Error(trouble.words);
    }
    await setTimeout(pause_ms);
  }
};
