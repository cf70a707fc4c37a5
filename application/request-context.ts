import type { Permission } from '../domain/access/contract.js';
import type { AccountId, KeyId } from '../domain/kernel/ids.js';
import type { Actor, Position, RecordedEvent } from '../domain/kernel/recorded-event.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import type { CommandContext } from './command-context.js';
import type { Ids } from './ports/ids.js';

/** Who asks: an API key, its account, and what it may do. */
export interface Caller {
  readonly key_id: KeyId;
  readonly account_id: AccountId;
  readonly admin: boolean;
  readonly permissions: ReadonlySet<Permission>;
  /** From then on the key is refused; null: never. */
  readonly expires_at: Timestamp | null;
  /** What is told of keys that this key makes; the environment's key says which one it is. */
  readonly maker_id: KeyId;
}

/** What every use case is told of the request that it serves. */
export interface RequestContext {
  readonly caller: Caller;
  readonly request_id: string;
  readonly at: Timestamp;
  /** The revision that the written record must have; null for any. */
  readonly if_match: number | null;
  /** Told of every write of the request. */
  readonly wrote: (position: Position) => void;
  /** Told how far a reader must see to see what the request, or others for it, may have written. */
  readonly mustSee: (position: Position) => void;
}

const onceEach = (make: () => string): ((index: number) => string) => {
  const made: Array<string> = [];
  return (index) => (made[index] ??= make());
};

export const actorOf = ({ key_id, account_id }: Caller): Actor => ({ key_id, account_id });

/** The context of a command that a request gives; `if_revision` when the request's condition is about this record. */
export const commandContext = (
  ids: Ids,
  { caller, request_id, at }: RequestContext,
  if_revision: number | null = null,
): CommandContext => ({
  actor: actorOf(caller),
  correlation_id: request_id,
  causation_id: ids.random(),
  at,
  if_revision,
  follows: null,
  event_id: onceEach(ids.random),
});

/** The context of a command that follows from an event; its ids derive from the cause, so a repetition adds nothing. */
export const followUpContext = (
  ids: Ids,
  { event_id, position, metadata }: RecordedEvent<unknown>,
  name: string,
  at: Timestamp,
): CommandContext => ({
  actor: metadata.actor,
  correlation_id: metadata.correlation_id,
  causation_id: event_id,
  at,
  if_revision: null,
  follows: position,
  event_id: (index) => ids.derived(event_id, `${name}/${index}`),
});
