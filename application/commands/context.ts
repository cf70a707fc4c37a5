import type { Permission } from '../../domain/access/contract.js';
import { type SessionId, AccountId, KeyId } from '../../domain/kernel/ids.js';
import type { Actor, Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Ids } from '../ports/ids.js';
import type * as t from 'io-ts';

/** What a command brings along for the events that it causes. */
export interface CommandContext {
  readonly actor: Actor;
  readonly correlation_id: string;
  readonly causation_id: string;
  readonly at: Timestamp;
  /** The revision that the stream must have; null for any. */
  readonly if_revision: number | null;
  /**
   * The position of the event that this command follows from, when its ids derive from that: then the same command may
   * have been carried out before. Null for a command that comes once.
   */
  readonly follows: Position | null;
  /**
   * The command belongs to a write that may have been begun before, in another process: its events are looked for from
   * the position of that write's claim on, by `causation_id`. With `taken_over` they are looked for at once, else only
   * after a lost race. Absent for a command that comes once.
   */
  readonly repeats?: { readonly since: Position; readonly taken_over: boolean };
  /** What is known of the stream is enough to answer that nothing is to be done: the store need not be asked. */
  readonly accepts_cached?: true;
  /** The id of the n-th event of this command, from 0. */
  readonly event_id: (index: number) => string;
}

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

/** A write that is carried out once for its idempotency key, however often it is begun. */
export interface KeyedWrite {
  /** Where the key was claimed for it first. */
  readonly since: Position;
  /** Another process began it, and may have written something of it. */
  readonly taken_over: boolean;
  /** The id of its next command: the same at every beginning. */
  readonly nextCommand: () => string;
  /** The next id of something that it makes: the same at every beginning. */
  readonly nextId: () => string;
}

/** What every use case is told of the request that it serves. */
export interface RequestContext {
  readonly caller: Caller;
  readonly request_id: string;
  readonly at: Timestamp;
  /** The revision that the written record must have; null for any. */
  readonly if_match: number | null;
  /** Present for a request with an idempotency key. */
  readonly write?: KeyedWrite;
  /** Told of every write of the request. */
  readonly onWrite: (position: Position) => void;
  /** Told how far a reader must see to see what the request, or others for it, may have written. */
  readonly requireVisible: (position: Position) => void;
}

const onceEach = (make: () => string): ((index: number) => string) => {
  const made: Array<string> = [];
  return (index) => (made[index] ??= make());
};

export const actorOf = ({ key_id, account_id }: Caller): Actor => ({ key_id, account_id });

/** The request as it is about other records than the one that its condition names. */
export const anyRevision = (request: RequestContext): RequestContext => ({ ...request, if_match: null });

/** The context of a command that a request gives. */
export const commandContext = (
  ids: Ids,
  { caller, request_id, at, if_match, write }: RequestContext,
): CommandContext => {
  const common = { actor: actorOf(caller), correlation_id: request_id, at, if_revision: if_match, follows: null };
  if (write === undefined) return { ...common, causation_id: ids.random(), event_id: onceEach(ids.random) };
  const causation_id = write.nextCommand();
  return {
    ...common,
    causation_id,
    repeats: write,
    event_id: (index) => ids.derived(causation_id, String(index)),
  };
};

/** The ids of what a request makes: those of a write with an idempotency key are the same however often it is begun. */
export const idsOf = (ids: Ids, { write }: Pick<RequestContext, 'write'>): Pick<Ids, 'random'> =>
  write === undefined ? ids : { random: write.nextId };

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

const known = <Id extends string>(codec: t.Type<Id, string>, text: string): Id => {
  if (codec.is(text)) return text;
  throw new TypeError(`"${text}" is no ${codec.name}`);
};

/** The account under which the service itself acts and the first admin key lives. */
export const serviceAccount = known(AccountId, 'admin');

/** A part of the service as a caller: what it writes names it as the actor. */
export const serviceCaller = (part: string): Caller => {
  const key_id = known(KeyId, part);
  return {
    key_id,
    account_id: serviceAccount,
    admin: true,
    permissions: new Set(),
    expires_at: null,
    maker_id: key_id,
  };
};

/** Who holds a session's token: acts for the account that created it, and is named as the session. */
export const sessionCaller = (session_id: SessionId, account_id: AccountId): Caller => ({
  ...serviceCaller(`session:${session_id}`),
  account_id,
  admin: false,
});

const fingerprint_length = 16;

/** The id under which the environment's administrator key makes others, by its digest. */
export const environmentKeyId = (digest: string): KeyId =>
  known(KeyId, `environment:${digest.slice(0, fingerprint_length)}`);

const ignore = (_position: Position): void => undefined;

/** A request that the service makes to itself. */
export const serviceRequest = (part: string, request_id: string, at: Timestamp): RequestContext => ({
  caller: serviceCaller(part),
  request_id,
  at,
  if_match: null,
  onWrite: ignore,
  requireVisible: ignore,
});
