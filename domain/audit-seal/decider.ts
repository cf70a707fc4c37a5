import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { AuditSealEvent, LogEndsBelowSeal, SealLog, SealedLog } from './contract.js';

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
