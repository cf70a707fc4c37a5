import { expect } from 'chai';
import type { Grounding } from '../../../domain/grounding/ground.js';
import type { Proposal } from '../../../domain/grounding/proposal.js';
import { about1, grounding, said, speaker } from './cases.js';

const call = said('0: My order is late.', '1: How may I help you? My name is Ada.', '0: My order is late, Ada.');
const helper = { role: 'agent', role_quote: 'How may I help you?' };

const roleOf = (proposal: Omit<Proposal, 'speaker_id'>, changes: Partial<Grounding> = {}) =>
  grounding(call, [about1(proposal)], { infer_roles: true, ...changes })[0];

describe('grounding: roles', () => {
  it('are accepted from the speaker’s own words, independent of the name', () =>
    expect(roleOf(helper)).to.deep.equal({
      speaker_id: 1,
      video_id: 'v1',
      reason: 'no_proposal',
      role_accepted: true,
      role: 'agent',
      role_quote: 'How may I help you?',
      role_quote_location: { index: 1, start: 5, end: 10 },
    }));

  it('are rejected without affecting the name', () => {
    const row = roleOf({ name: 'Ada', quote: 'my name is ada', pattern: 'self_introduction' });
    expect(row).to.include({ name: 'Ada', quote: 'My name is Ada', role_accepted: false });
    expect(row?.role_reason).to.equal('no_role_proposal');
  });

  it('are rejected with a reason', () => {
    const reasonOf = (role?: string, role_quote?: string) =>
      roleOf({ ...(role === undefined ? {} : { role }), ...(role_quote === undefined ? {} : { role_quote }) })
        ?.role_reason;
    expect(reasonOf()).to.equal('no_role_proposal');
    expect(reasonOf('boss', helper.role_quote)).to.equal('no_role_proposal');
    expect(reasonOf('agent')).to.equal('role_quote_not_found');
    expect(reasonOf('agent', 'Happy to help')).to.equal('role_quote_not_found');
    expect(reasonOf('customer', 'My order is late')).to.equal('role_wrong_speaker');
  });

  it('are rejected if a role is set', () => {
    const speakers = [{ ...speaker(1), role: 'customer' as const }];
    expect(roleOf(helper, { speakers })?.role_reason).to.equal('role_already_set');
    expect(grounding(call, [], { infer_roles: true, speakers })[0]?.role_reason).to.equal('role_already_set');
  });
});
