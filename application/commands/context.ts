import { constVoid } from 'fp-ts/lib/function.js';
import type { Permission } from '../../domain/access/contract.js';
import { type SessionId, AccountId, KeyId } from '../../domain/kernel/ids.js';
import { storedType, versionOf, subjectsOf } from '../../domain/event-catalogue.js';
import type { Actor, EventMetadata, Position, RecordedEvent, Subject } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { NewEvent } from '../ports/event-store.js';
import type { Ids } from '../ports/ids.js';
import type { AnyEvent } from './read-event.js';
import type * as t from 'io-ts';

/** What a command passes on to the events that it causes, and the conditions under which it is handled. */
export interface CommandContext {
  readonly actor: Actor;
  readonly correlation_id: string;
  readonly causation_id: string;
  readonly at: Timestamp;
  /** The revision that the stream must have; null for any. */
  readonly if_revision: number | null;
  /**
   * For a command that may have been carried out before: the position of its cause, which is the event that it follows from,
   * or the claim of the idempotency key of its request. Its events come later, and have the same ids each time. Null for a
   * command that is given once.
   */
  readonly since: Position | null;
  /** The id of the n-th event of this command, from 0. */
  readonly event_id: (index: number) => string;
}

/** Who makes a request: an API key, its account and its permissions. */
export interface Caller {
  readonly key_id: KeyId;
  readonly account_id: AccountId;
  readonly admin: boolean;
  readonly permissions: ReadonlySet<Permission>;
  /** When the key expires; null: never. */
  readonly expires_at: Timestamp | null;
  /** The maker of keys that are created with this key; it distinguishes the administrator keys of the environment. */
  readonly maker_id: KeyId;
}

/** A request with an idempotency key. It takes effect once, even if it is started several times. */
export interface KeyedWrite {
  /** The position at which the key was first claimed for it. */
  readonly since: Position;
  /** Another process started it, and may have written a part of it. */
  readonly taken_over: boolean;
  /** The id of its next command; the sequence is the same each time it is started. */
  readonly nextCommand: () => string;
  /** The id of the next thing that it creates; the sequence is the same each time it is started. */
  readonly nextId: () => string;
}

/** The request that a use case serves. */
export interface RequestContext {
  readonly caller: Caller;
  readonly request_id: string;
  readonly at: Timestamp;
  /** From `If-Match`: the revision that the record must have; null for any. */
  readonly if_match: number | null;
  /** Present for a request with an idempotency key. */
  readonly write?: KeyedWrite;
  /** Called with the position of each event that the request writes. */
  readonly onWrite: (position: Position) => void;
  /** Called with the position of each event on an idempotency key that it writes; these are no part of its change. */
  readonly onKeyWrite: (position: Position) => void;
  /** Called with a position that read models must reach before later reads, for writes that others made for the request. */
  readonly requireVisible: (position: Position) => void;
}

const memoized = (make: () => string): ((index: number) => string) => {
  const made: Array<string> = [];
  return (index) => (made[index] ??= make());
};

export const actorOf = ({ key_id, account_id }: Caller): Actor => ({ key_id, account_id });

/** The request without its `If-Match` condition, for writes to other records. */
export const anyRevision = (request: RequestContext): RequestContext => ({ ...request, if_match: null });

/** The context of a command of a request. */
export const commandContext = (
  ids: Ids,
  { caller, request_id, at, if_match, write }: RequestContext,
): CommandContext => {
  const causation_id = write === undefined ? ids.random() : write.nextCommand();
  return {
    actor: actorOf(caller),
    correlation_id: request_id,
    at,
    if_revision: if_match,
    causation_id,
    since: write?.since ?? null,
    event_id: write === undefined ? memoized(ids.random) : (index) => ids.derived(causation_id, String(index)),
  };
};

/** Where a request takes the ids of new things from. With an idempotency key, a repetition gets the same ids. */
export const idsOf = (ids: Ids, { write }: Pick<RequestContext, 'write'>): Pick<Ids, 'random'> =>
  write === undefined ? ids : { random: write.nextId };

/** The context of a follow-up command. Its event ids derive from the cause, so a repetition writes nothing. */
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
  since: position,
  event_id: (index) => ids.derived(event_id, `${name}/${index}`),
});

const idFrom = <Id extends string>(codec: t.Type<Id, string>, text: string): Id => {
  if (codec.is(text)) return text;
  throw new TypeError(`"${text}" is not a ${codec.name}`);
};

/** A new UUID as a typed id: all id codecs accept UUIDs. */
export const newId = <Id extends string>({ random }: Pick<Ids, 'random'>, codec: t.Type<Id, string>): Id =>
  idFrom(codec, random());

/** The account of the service itself, which owns the first admin key. */
export const serviceAccount = idFrom(AccountId, 'admin');

/** A component of the service as a caller: it is the actor of the events that it writes. */
export const serviceCaller = (part: string): Caller => {
  const key_id = idFrom(KeyId, part);
  return {
    key_id,
    account_id: serviceAccount,
    admin: true,
    permissions: new Set(),
    expires_at: null,
    maker_id: key_id,
  };
};

/** The holder of a session token: acts for the account of the session, with the session as the actor. */
export const sessionCaller = (session_id: SessionId, account_id: AccountId): Caller => ({
  ...serviceCaller(`session:${session_id}`),
  account_id,
  admin: false,
});

const fingerprintLength = 16;

/** The key id of the administrator key from the environment, derived from its digest. */
export const environmentKeyId = (digest: string): KeyId =>
  idFrom(KeyId, `environment:${digest.slice(0, fingerprintLength)}`);

/** A request that the service makes itself. */
export const serviceRequest = (part: string, request_id: string, at: Timestamp): RequestContext => ({
  caller: serviceCaller(part),
  request_id,
  at,
  if_match: null,
  onWrite: constVoid,
  onKeyWrite: constVoid,
  requireVisible: constVoid,
});

export const metadataOf = (context: CommandContext, type: string): EventMetadata => ({
  actor: context.actor,
  correlation_id: context.correlation_id,
  causation_id: context.causation_id,
  schema_version: versionOf(type),
  recorded_at: context.at,
});

/** The n-th event of a command in the form of the store. `about`: persons or media in it beside the owner of the stream. */
export const toNewEvent = (
  { type, data }: AnyEvent,
  context: CommandContext,
  index: number,
  stream: string,
  about: ReadonlyArray<Subject> = [],
): NewEvent => ({
  id: context.event_id(index),
  type: storedType(type),
  data,
  metadata: { ...metadataOf(context, type) },
  subjects: subjectsOf(type, stream, about),
});
