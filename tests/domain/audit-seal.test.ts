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
  it('seals a log', () =>
    seals
      .given()
      .when(seal(log(3)))
      .then(sealedAs(log(3))));

  it('does not seal an empty log', () =>
    seals
      .given()
      .when(seal(log(0)))
      .thenNothing());

  it('does nothing if only the last seal was added since', () =>
    seals
      .given(sealedAs(log(3)))
      .when(seal(log(4)))
      .thenNothing());

  it('seals events added since', () =>
    seals
      .given(sealedAs(log(3)))
      .when(seal(log(5)))
      .then(sealedAs(log(5))));

  it('refuses a log that ends below the last seal', () =>
    seals
      .given(sealedAs(log(3)))
      .when(seal(log(2)))
      .thenRefused({ _tag: 'LogEndsBelowSeal', sealed_position: '0000000000000003' }));

  it('does not compare seals of different kinds', () =>
    seals
      .given(sealedAs(log(3, 'rows')))
      .when(seal(log(2)))
      .then(sealedAs(log(2))));
});
