import * as t from 'io-ts';
import type { EventOf } from '../kernel/event-codecs.js';
import { AccountId, RunId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

export const idempotencyKeyEvents = {
  /** The key stands for this run and this request, for as long as keys last. */
  IdempotencyKeyClaimed: t.type({
    account_id: AccountId,
    run_id: RunId,
    /** Digest of the request: what it asks, and of whom. */
    request_digest: t.string,
    at: Timestamp,
  }),
} as const;

export type IdempotencyKeyEvent = EventOf<typeof idempotencyKeyEvents>;

/** Asks for the key on behalf of a run. */
export interface ClaimIdempotencyKey {
  readonly type: 'ClaimIdempotencyKey';
  readonly account_id: AccountId;
  readonly run_id: RunId;
  readonly request_digest: string;
  /** A run that held the key and ended without an answer: the key may pass on from it, and from no other. */
  readonly instead_of: RunId | null;
  readonly at: Timestamp;
}

export type IdempotencyKeyRefusal =
  /** The same request holds the key: its run has the answer, or will have it. */
  | { readonly _tag: 'KeyHeld'; readonly run_id: RunId; readonly since: Timestamp }
  /** Another request holds the key. */
  | { readonly _tag: 'KeyReused' };
