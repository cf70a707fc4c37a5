import { type Fault, faultAt } from './fault.js';
import { isExternalStream, isServerRecord, type Position, streamCategory } from '../../domain/kernel/recorded-event.js';
import type { SealedLog } from '../../domain/audit-seal/contract.js';
import { eventHash, hashOf, type LoggedEvent, sha256 } from './event-hash.js';
import { createSealChecks, merkleRoot, type SealToCheck, type StreamHead } from './seal-checks.js';
import * as E from 'fp-ts/lib/Either.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import { add, type Credits, creditsOf, creditsText, negate, zeroCredits } from '../../domain/kernel/credits.js';

const maxSamples = 1_024;

/** Computes what seals of one kind cover, event by event, and compares it with existing seals. */
export const createSealedPart = (covers: SealedLog['covers'], seals: ReadonlyArray<SealToCheck>) => {
  const tails = new Map<string, StreamHead>();
  const heads = (): ReadonlyArray<StreamHead> => [...tails.values()];
  const checks = createSealChecks(
    seals.filter(({ sealed }) => sealed.covers === covers),
    heads,
  );
  let [events, order_hash, last]: [number, string, Position | null] = [0, sha256('nothing'), null];
  /** The running hash after every `size` events: there are at most 1,024 samples, so `size` grows with the log. */
  let blocks: SealedLog['blocks'] = { size: 1, hashes: [] };
  return {
    take: (event: LoggedEvent, digest: string): ReadonlyArray<Fault> => {
      if (covers === 'events' && isServerRecord(event)) return [];
      const { position, stream, revision } = event;
      order_hash = sha256(`${order_hash} ${covers === 'events' ? digest : `${position} ${digest}`}`);
      events += 1;
      last = position;
      if (events % blocks.size === 0) blocks = { ...blocks, hashes: [...blocks.hashes, order_hash] };
      if (blocks.hashes.length > maxSamples)
        blocks = { size: 2 * blocks.size, hashes: blocks.hashes.filter((_, index) => index % 2 === 1) };
      tails.set(stream, { stream, revision, hash: digest });
      return checks.take(event, events, order_hash);
    },
    /** Faults found at the end of the log. */
    end: () => checks.end(events),
    /** A seal of the events read; null if there were none. */
    seal: (): SealedLog | null =>
      last === null
        ? null
        : {
            position: last,
            events,
            streams: tails.size,
            merkle_root: merkleRoot(heads()),
            order_hash,
            blocks,
            covers,
          },
  };
};

/**
 * The hash chains of all streams, read in log order. External streams carry no hashes; their events count only for
 * digests and seals.
 */
const createStreamChains = () => {
  /** The last event of each stream; its hash as stored, null if missing. */
  const tails = new Map<string, { readonly revision: number; readonly hash: string | null }>();
  let unhashed = 0;
  let begun = false;
  const faultOf = (event: LoggedEvent, hash: string | null): Fault | null => {
    const tail = tails.get(event.stream);
    if (hash === null && isExternalStream(event.stream)) return null;
    const expected = tail === undefined ? 0 : tail.revision + 1;
    if (event.revision !== expected)
      return faultAt(event, 'revision_gap', `revision ${expected} of the stream should be here`);
    if (hash === null)
      return begun ? faultAt(event, 'hash_missing', 'it carries no hash, though earlier events of the log do') : null;
    return eventHash(event, tail?.hash ?? null) === hash
      ? null
      : faultAt(
          event,
          'hash_mismatch',
          'its hash does not fit: its content was changed, or the event before it in the stream was replaced',
        );
  };
  return {
    /** Returns the event's digest (its hash, or the hash of its content if it carries none) and its fault, if any. */
    take: (event: LoggedEvent) => {
      const hash = hashOf(event);
      const fault = faultOf(event, hash);
      const digest = hash ?? eventHash(event, null);
      if (hash !== null) begun = true;
      else if (!isExternalStream(event.stream)) unhashed += 1;
      tails.set(event.stream, { revision: event.revision, hash });
      return { digest, fault };
    },
    streams: () => tails.size,
    /** Number of events without a hash, all written before the first one with a hash. */
    unhashed: () => unhashed,
  };
};

/** Finds ids that occurred before. */
const createIdCheck = () => {
  const seen = new Set<string>();
  return (event: LoggedEvent): Fault | null => {
    if (seen.has(event.id)) return faultAt(event, 'duplicate_id', `the id ${event.id} was there before`);
    seen.add(event.id);
    return null;
  };
};

/** Checks that the entries of each account add up to the balance stored in them. */
const createLedgerCheck = (): ((event: LoggedEvent) => Fault | null) => {
  const balances = new Map<string, Credits>();
  return (logged) => {
    if (streamCategory(logged.stream) !== 'creditAccount') return null;
    const decoded = decodeEvent(logged.type, logged.data);
    if (E.isLeft(decoded) || !('balance_after' in decoded.right.data)) return null;
    const { type, data } = decoded.right;
    const [amount, balance] = [creditsOf(data.amount), creditsOf(data.balance_after)];
    const sum = add(balances.get(logged.stream) ?? zeroCredits, type === 'CreditsCharged' ? negate(amount) : amount);
    balances.set(logged.stream, balance);
    const message = `it tells a balance of ${creditsText(balance)}; its account's entries come to ${creditsText(sum)}`;
    return sum === balance ? null : faultAt(logged, 'ledger_mismatch', message);
  };
};

/** Of the faults, the first 1,000 are told, in the order found. */
const maxFaults = 1_000;

/** Reads a log event by event in order, and runs all checks. */
export const createLogScan = (seals: ReadonlyArray<SealToCheck> = []) => {
  const chains = createStreamChains();
  const checkLedger = createLedgerCheck();
  const checkId = createIdCheck();
  const sealable = createSealedPart('events', seals);
  const hasRowSeals = seals.some(({ sealed }) => sealed.covers === 'rows');
  const parts = [sealable, ...(hasRowSeals ? [createSealedPart('rows', seals)] : [])];
  const faults: Fault[] = [];
  let [events, position]: [number, Position | null] = [0, null];
  const note = (fault: Fault | null): void => {
    if (fault !== null && faults.length < maxFaults) faults.push(fault);
  };
  return {
    take: (event: LoggedEvent): void => {
      const { digest, fault } = chains.take(event);
      events += 1;
      position = event.position;
      note(fault);
      note(checkLedger(event));
      parts.forEach((part) => part.take(event, digest).forEach(note));
      note(checkId(event));
    },
    /** Ends the scan and returns the result. Only a log that was read to its end is compared with what seals say of it. */
    end: ({ isWhole }: { readonly isWhole: boolean }) => ({
      events,
      streams: chains.streams(),
      position,
      unhashed: chains.unhashed(),
      faults: [...faults, ...(isWhole ? parts.flatMap((part) => part.end()) : [])],
    }),
    seal: sealable.seal,
  };
};
export type LogScan = ReturnType<typeof createLogScan>;
export type ScannedLog = ReturnType<LogScan['end']>;
