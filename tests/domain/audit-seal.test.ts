import { type AuditSealEvent, type SealLog, type SealedLog, auditSeal } from '../../domain/audit-seal/contract.js';
import { specification } from '../support/specification.js';
import { at } from '../support/values.js';

const seals = specification(auditSeal, (command: SealLog) => command);

const log = (events: number, covers: SealedLog['covers'] = 'events'): SealedLog => ({
  position: String(events).padStart(16, '0'),
  events,
  streams: 1,
  merkle_root: 'root',
  order_hash: 'order',
  blocks: { size: 1, hashes: [] },
  covers,
});
const seal = (sealed: SealedLog): SealLog => ({ type: 'SealLog', sealed, at: at(1) });
const sealedAs = (sealed: SealedLog): AuditSealEvent => ({ type: 'LogSealed', data: { ...sealed, at: at(1) } });

describe('audit seal', () => {
  seals
    .given()
    .tests({ 'seals a log': [seal(log(3)), [sealedAs(log(3))]], 'does not seal an empty log': [seal(log(0)), []] });

  seals.given(sealedAs(log(3))).tests({
    'does nothing if only the last seal was added since': [seal(log(4)), []],
    'seals events added since': [seal(log(5)), [sealedAs(log(5))]],
    'refuses a log that ends below the last seal': [
      seal(log(2)),
      { _tag: 'LogEndsBelowSeal', sealed_position: '0000000000000003' },
    ],
  });

  it('does not compare seals of different kinds', () =>
    seals.given(sealedAs(log(3, 'rows'))).cases([seal(log(2)), [sealedAs(log(2))]]));
});
