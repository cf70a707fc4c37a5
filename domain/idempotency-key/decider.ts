import type { DataIn } from '../kernel/recorded-event.js';
import type * as E from 'fp-ts/lib/Either.js';
import { dataOf, type Decider, record, refuse } from '../kernel/decider.js';
import type { InstanceId } from '../kernel/ids.js';
import { type Timestamp, secondsBetween } from '../kernel/timestamp.js';
import type {
  ClaimWrite,
  EndWrite,
  IdempotencyKeyCommand,
  IdempotencyKeyEvent,
  IdempotencyKeyRefusal,
} from './contract.js';

export interface HoldingWrite {
  readonly write_id: string;
  readonly request_digest: string;
  readonly since: Timestamp;
  /** The revision of its first claim of the key. */
  readonly first_claimed_at: number;
  /** The revision of its last claim: the answer follows. */
  readonly claimed_at: number;
  /** The process working on it; null if it was answered or aborted. */
  readonly worker: { readonly instance_id: InstanceId; readonly process_id: string; readonly since: Timestamp } | null;
  readonly answered: boolean;
}

export interface IdempotencyKeyState {
  readonly holder: HoldingWrite | null;
}

/** Lifetime of a key in seconds: 24 hours (contract, Idempotency-Key). */
const lifetime_seconds = 24 * 3_600;

/** The holder of the key at a time; null if it is free. */
export const holderAt = ({ holder }: IdempotencyKeyState, at: Timestamp): IdempotencyKeyState['holder'] =>
  holder === null || secondsBetween(holder.since, at) > lifetime_seconds ? null : holder;

type Decision = E.Either<IdempotencyKeyRefusal, ReadonlyArray<IdempotencyKeyEvent>>;

/**
 * Whether no process works on the write any more. A later process of the same instance knows that the earlier one
 * ended.
 */
const isAbandoned = ({ worker }: HoldingWrite, claim: ClaimWrite): boolean =>
  worker === null ||
  (worker.instance_id === claim.instance_id && worker.process_id !== claim.process_id) ||
  secondsBetween(worker.since, claim.at) > (claim.abandoned_after_seconds ?? 30);

const claimForWrite = (command: ClaimWrite, state: IdempotencyKeyState): Decision => {
  const { abandoned_after_seconds: _after, ...claim } = dataOf(command);
  const holder = holderAt(state, claim.at);
  if (holder === null) return record<IdempotencyKeyEvent>({ type: 'WriteClaimed', data: claim });
  const { write_id, request_digest, answered } = holder;
  if (request_digest !== claim.request_digest) return refuse({ _tag: 'KeyReused' });
  if (answered || !isAbandoned(holder, command)) return refuse({ _tag: 'WriteHeld', write_id });
  return record<IdempotencyKeyEvent>({ type: 'WriteClaimed', data: { ...claim, write_id } });
};

/** A process whose write was taken over must neither answer it nor free the key: another process works on it. */
const endWrite = ({ process_id, ending }: EndWrite, { holder }: IdempotencyKeyState): Decision => {
  const { write_id } = ending.data;
  const isHeld = holder?.write_id === write_id && holder.worker?.process_id === process_id;
  return isHeld ? record(ending) : refuse({ _tag: 'WriteTakenOver', write_id });
};

const claimed = (
  { holder }: IdempotencyKeyState,
  { write_id, request_digest, instance_id, process_id, at }: DataIn<IdempotencyKeyEvent, 'WriteClaimed'>,
  revision: number,
): HoldingWrite => {
  const { since, first_claimed_at } =
    holder?.write_id === write_id ? holder : { since: at, first_claimed_at: revision };
  const worker = { instance_id, process_id, since: at };
  return { write_id, request_digest, since, first_claimed_at, claimed_at: revision, worker, answered: false };
};

/** Binds an idempotency key of an account to one write. */
export const idempotencyKey: Decider<
  IdempotencyKeyCommand,
  IdempotencyKeyState,
  IdempotencyKeyEvent,
  IdempotencyKeyRefusal
> = {
  category: 'idempotencyKey',
  initial: { holder: null },
  evolve: (state, event, revision) => {
    const { holder } = state;
    switch (event.type) {
      case 'WriteClaimed':
        return { holder: claimed(state, event.data, revision) };
      case 'AnswerPieceKept':
        return state;
      case 'WriteAnswered':
        return { holder: holder && { ...holder, worker: null, answered: true } };
      case 'WriteReleased':
        return { holder: holder !== null && event.data.may_be_written ? { ...holder, worker: null } : null };
    }
  },
  about: (_state, _event, command) => (command?.type === 'EndWrite' ? (command.about ?? []) : []),
  decide: (command, state) => {
    switch (command.type) {
      case 'ClaimWrite':
        return claimForWrite(command, state);
      case 'EndWrite':
        return endWrite(command, state);
    }
  },
};
