import { type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { AuditSealEvent, LogEndsBelowSeal, SealLog, SealedLog } from './contract.js';

/** What was sealed last; null before the first seal. */
export type AuditSealState = Pick<SealedLog, 'position' | 'events'> | null;

const theSealItself = 1;

/** All seals of a log are one stream, `auditSeal-log`. */
export const auditSeal: Decider<SealLog, AuditSealState, AuditSealEvent, LogEndsBelowSeal> = {
  category: 'auditSeal',
  initial: null,
  evolve: (_, { data: { position, events } }) => ({ position, events }),
  decide: ({ sealed, at }, last) => {
    if (last !== null && sealed.events < last.events)
      return refuse({ _tag: 'LogEndsBelowSeal', sealed_position: last.position });
    const unsealed = sealed.events - (last === null ? 0 : last.events + theSealItself);
    return unsealed > 0 ? record({ type: 'LogSealed', data: { ...sealed, at } }) : nothing;
  },
};
