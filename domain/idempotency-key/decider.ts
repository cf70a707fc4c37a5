import { type Decider, record, refuse } from '../kernel/decider.js';
import type { RunId } from '../kernel/ids.js';
import { type Timestamp, secondsBetween } from '../kernel/timestamp.js';
import type { ClaimIdempotencyKey, IdempotencyKeyEvent, IdempotencyKeyRefusal } from './contract.js';

export interface IdempotencyKeyState {
  readonly holder: { readonly run_id: RunId; readonly request_digest: string; readonly since: Timestamp } | null;
}

/** Keys last 24 hours (contract, Idempotency-Key). */
const lifetime = 24 * 3_600;

/** Whom the key stands for at a time; null when it is free. */
export const holderAt = ({ holder }: IdempotencyKeyState, at: Timestamp): IdempotencyKeyState['holder'] =>
  holder === null || secondsBetween(holder.since, at) > lifetime ? null : holder;

/** Which run an idempotency key of an account stands for. */
export const idempotencyKey: Decider<
  ClaimIdempotencyKey,
  IdempotencyKeyState,
  IdempotencyKeyEvent,
  IdempotencyKeyRefusal
> = {
  category: 'idempotencyKey',
  initial: { holder: null },
  evolve: (_, { data: { run_id, request_digest, at } }) => ({ holder: { run_id, request_digest, since: at } }),
  decide: ({ account_id, run_id, request_digest, instead_of, at }, state) => {
    const holder = holderAt(state, at);
    const claimed = record<IdempotencyKeyEvent>({
      type: 'IdempotencyKeyClaimed',
      data: { account_id, run_id, request_digest, at },
    });
    if (holder === null) return claimed;
    if (holder.request_digest !== request_digest) return refuse({ _tag: 'KeyReused' });
    return holder.run_id === instead_of
      ? claimed
      : refuse({ _tag: 'KeyHeld', run_id: holder.run_id, since: holder.since });
  },
};
