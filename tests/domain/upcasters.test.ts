import { expect } from 'chai';
import { upcasters } from '../../domain/event-catalogue.js';

const upcast = (stored: string, data: Readonly<Record<string, unknown>>) => upcasters[stored]?.(data);

describe('events without records of who gave a name', () => {
  it('attribute real names to a person and all others to an analysis', () => {
    const faces = [{ previous_name: 'Ann' }, { previous_name: 'Face 1' }, { previous_name: null }];
    const after = 'person';
    expect(upcast('FacesRenamed.v1', { faces })).to.deep.equal({
      faces: [
        { previous_name: 'Ann', named_by: { before: 'person', after } },
        { previous_name: 'Face 1', named_by: { before: 'analysis', after } },
        { previous_name: null, named_by: { before: 'analysis', after } },
      ],
    });
  });

  it('change who gave a name only if the name changes', () => {
    const renamed = { before: { name: 'Face 1' }, after: { name: 'Ann' } };
    const linked = { before: { name: 'Ann' }, after: { name: 'Ann' } };
    const cleared = { before: { name: 'Ann' }, after: {} };
    expect(upcast('MatchesCommitted.v1', { changes: [renamed, linked], replaced: [cleared] })).to.deep.equal({
      changes: [
        { ...renamed, named_by: { before: 'analysis', after: 'person' } },
        { ...linked, named_by: null },
      ],
      replaced: [{ ...cleared, named_by: { before: 'person', after: 'analysis' } }],
    });
  });

  it('attribute unchanged names of speakers to a person', () => {
    const speakers = [
      { name: 'Ann', previous_name: 'Ann' },
      { name: 'Speaker 1', previous_name: 'Speaker 1' },
      { name: 'Ann', previous_name: 'Bea' },
      { name: 'Ann', previous_name: 'Speaker 1' },
    ];
    const whose = ['person', 'person', 'person', 'analysis'];
    expect(upcast('FacesMatched.v1', { speakers })).to.deep.equal({
      speakers: speakers.map((speaker, index) => ({ ...speaker, previous_named_by: whose[index] })),
    });
  });
});
