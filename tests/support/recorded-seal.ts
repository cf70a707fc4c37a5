import { aggregate } from '../../application/commands/handle-command.js';
import { commandContext } from '../../application/commands/context.js';
import { auditSealEvents, auditSeal } from '../../domain/audit-seal/contract.js';
import { isEventOf } from '../../domain/kernel/recorded-event.js';
import { sha256 } from '../../projections/audit/event-hash.js';
import type { World } from './application/world.js';
import { succeeded } from './event-store/outcomes.js';

const isSeal = isEventOf(auditSealEvents);

/** A seal with arbitrary content. */
export const recordSeal = async ({ app, request }: World): Promise<void> => {
  const sealed = {
    position: '0000000000000002',
    events: 2,
    streams: 1,
    merkle_root: sha256('root'),
    order_hash: sha256('order'),
    covers: 'events' as const,
    blocks: { size: 1, hashes: [sha256('first'), sha256('order')] },
  };
  const seals = aggregate(app.store, auditSeal, isSeal);
  const command = { type: 'SealLog' as const, sealed, at: request().at };
  await succeeded(seals.handle('log', command, commandContext(app.ids, request())));
};
