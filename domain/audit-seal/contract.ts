import * as t from 'io-ts';
import type { EventOf } from '../kernel/recorded-event.js';
import { Timestamp } from '../kernel/timestamp.js';
import { type CommandOf, type Decider, type Tagged, nothing, record, refuse } from '../kernel/decider.js';

/** Hashes of the log up to a position. A copy kept elsewhere proves whether the log was changed. */
export const SealedLog = t.type(
  {
    /** Position of the last sealed event in the sealed store. */
    position: t.string,
    events: t.number,
    streams: t.number,
    /** Root of the Merkle tree over the heads of all streams. */
    merkle_root: t.string,
    /** Running hash over the covered data of every event, in log order. */
    order_hash: t.string,
    /** The running hash after every `size` events. It locates the first difference between two logs. */
    blocks: t.type({ size: t.number, hashes: t.readonlyArray(t.string) }),
    /**
     * `events`: the events in order, independent of the storage engine and without EventStoreDB's system events.
     * `rows`: system events and positions too. Positions differ between engines.
     */
    covers: t.union([t.literal('events'), t.literal('rows')]),
  },
  'SealedLog',
);
export type SealedLog = t.TypeOf<typeof SealedLog>;

export const auditSealEvents = {
  LogSealed: t.intersection([SealedLog, t.type({ at: Timestamp })]),
} as const;

export type AuditSealEvent = EventOf<typeof auditSealEvents>;

export type SealLog = CommandOf<'SealLog', { sealed: SealedLog; at: Timestamp }>;

/** The log holds fewer events than the last seal covers. */
export type LogEndsBelowSeal = Tagged<'LogEndsBelowSeal', { sealed_position: string }>;

/** The last seal; null before the first one. */
export type AuditSealState = Pick<SealedLog, 'position' | 'events' | 'covers'> | null;

const ownEventCount = 1;

/** Seals of the log, in the stream `auditSeal-log`. */
export const auditSeal: Decider<SealLog, AuditSealState, AuditSealEvent, LogEndsBelowSeal> = {
  category: 'auditSeal',
  initial: null,
  evolve: (_, { data: { position, events, covers } }) => ({ position, events, covers }),
  decide: ({ sealed, at }, last) => {
    const sealing = record<AuditSealEvent>({ type: 'LogSealed', data: { ...sealed, at } });
    if (last === null) return sealed.events > 0 ? sealing : nothing;
    if (last.covers !== sealed.covers) return sealing;
    if (sealed.events < last.events) return refuse({ _tag: 'LogEndsBelowSeal', sealed_position: last.position });
    return sealed.events > last.events + ownEventCount ? sealing : nothing;
  },
};
