import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { AccountId, InstanceId, RunId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';
import type { Subject } from '../kernel/stream-name.js';

export const idempotencyKeyEvents = {
  /** The key stands for this run and this request, for as long as keys last. */
  IdempotencyKeyClaimed: t.type({
    account_id: AccountId,
    run_id: RunId,
    /** Digest of the request: what it asks, and of whom. */
    request_digest: t.string,
    at: Timestamp,
  }),
  /** The key stands for this write, which a process begins, or takes over from one that did not end it. */
  WriteClaimed: t.type({
    account_id: AccountId,
    /** The ids of all that the write brings about derive from it. */
    write_id: t.string,
    /** Digest of the request: method, path, query and body. */
    request_digest: t.string,
    instance_id: InstanceId,
    /** The process of the instance. */
    process_id: t.string,
    at: Timestamp,
  }),
  /** A piece of the answer, of one that is too long for one event. */
  AnswerPieceKept: t.type({ write_id: t.string, text: t.string }),
  /** The answer is known: its JSON is the pieces before and this one. */
  WriteAnswered: t.type({
    write_id: t.string,
    text: t.string,
    headers: t.record(t.string, t.string),
    /** The answer held a secret, which is kept nowhere: this is the id of what was made. */
    secret_of: nullable(t.string),
    at: Timestamp,
  }),
  /** Nobody is at work any more. With `may_be_written` what became of it is not known; else it was refused. */
  WriteReleased: t.type({ write_id: t.string, may_be_written: t.boolean, at: Timestamp }),
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

/** Asks for the key on behalf of a write. */
export interface ClaimWrite {
  readonly type: 'ClaimWrite';
  readonly account_id: AccountId;
  readonly write_id: string;
  readonly request_digest: string;
  readonly instance_id: InstanceId;
  readonly process_id: string;
  readonly at: Timestamp;
}

type Said<Type extends IdempotencyKeyEvent['type']> = Extract<IdempotencyKeyEvent, { type: Type }>['data'];

/** Whom an answer tells of; left out for one that tells of nobody. */
interface About {
  readonly about?: ReadonlyArray<Subject>;
}

/** What ends a write: only the one that holds the key. */
export type EndWrite =
  | ({ readonly type: 'KeepAnswerPiece' } & Said<'AnswerPieceKept'> & About)
  | ({ readonly type: 'AnswerWrite' } & Said<'WriteAnswered'> & About)
  | ({ readonly type: 'ReleaseWrite' } & Said<'WriteReleased'>);

export type IdempotencyKeyCommand = ClaimIdempotencyKey | ClaimWrite | EndWrite;

export type IdempotencyKeyRefusal =
  /** The same request holds the key: its run has the answer, or will have it. */
  | { readonly _tag: 'KeyHeld'; readonly run_id: RunId; readonly since: Timestamp }
  /** The same write holds the key: it was answered, or is being served. */
  | { readonly _tag: 'WriteHeld'; readonly write_id: string }
  /** The key passed on from this write to another. */
  | { readonly _tag: 'WriteTakenOver'; readonly write_id: string }
  /** Another request holds the key. */
  | { readonly _tag: 'KeyReused' };
