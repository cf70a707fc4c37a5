import type { CommandOf } from '../kernel/decider.js';
import * as t from 'io-ts';
import { type DataIn, type EventOf, type Subject, nullable } from '../kernel/recorded-event.js';
import { AccountId, InstanceId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

export const idempotencyKeyEvents = {
  /** The key is bound to this write, which a process starts or takes over from one that did not finish it. */
  WriteClaimed: t.type({
    account_id: AccountId,
    /** All ids created by the write derive from it. */
    write_id: t.string,
    /** Digest of method, path, query and body. */
    request_digest: t.string,
    instance_id: InstanceId,
    /** The process within the instance. */
    process_id: t.string,
    at: Timestamp,
  }),
  /** Part of an answer that is too long for one event. */
  AnswerPieceKept: t.type({ write_id: t.string, text: t.string }),
  /** The answer is complete: its JSON is the concatenation of the pieces and this text. */
  WriteAnswered: t.type({
    write_id: t.string,
    text: t.string,
    headers: t.record(t.string, t.string),
    /** Id of the created resource if the answer contained a secret, which is not stored. */
    secret_of: nullable(t.string),
    at: Timestamp,
  }),
  /** No process works on the write any more. `may_be_written`: its outcome is unknown; otherwise it was refused. */
  WriteReleased: t.type({ write_id: t.string, may_be_written: t.boolean, at: Timestamp }),
} as const;

export type IdempotencyKeyEvent = EventOf<typeof idempotencyKeyEvents>;

type Recorded<Type extends IdempotencyKeyEvent['type']> = DataIn<IdempotencyKeyEvent, Type>;

/** Claims the key for a write. */
export type ClaimWrite = CommandOf<
  'ClaimWrite',
  /** Seconds after which a write of another instance counts as abandoned; 30 if absent. */
  Recorded<'WriteClaimed'> & { readonly abandoned_after_seconds?: number | undefined }
>;

/** Ends a write, or keeps a part of its answer. Only the process that claimed the key for it last can do so. */
export interface EndWrite {
  readonly type: 'EndWrite';
  readonly process_id: string;
  readonly ending: Exclude<IdempotencyKeyEvent, { readonly type: 'WriteClaimed' }>;
  /** Subjects that the answer reveals data about; absent if none. */
  readonly about?: ReadonlyArray<Subject>;
}

export type IdempotencyKeyCommand = ClaimWrite | EndWrite;

export type IdempotencyKeyRefusal =
  /** The same write holds the key; it was answered or is in progress. */
  | { readonly _tag: 'WriteHeld'; readonly write_id: string }
  /** Another write, or another process, has taken over the key. */
  | { readonly _tag: 'WriteTakenOver'; readonly write_id: string }
  /** Another request holds the key. */
  | { readonly _tag: 'KeyReused' };
