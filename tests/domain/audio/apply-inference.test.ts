import { expect } from 'chai';
import type { ApplyInference } from '../../../domain/audio/contract.js';
import type { AudioData, AudioEvent } from '../../../domain/audio/events.js';
import type { ResultRow } from '../../../domain/grounding/result-row.js';
import { registeredIn } from '../../support/specification.js';
import {
  analysedAudio,
  completedAudio,
  registeredAudio,
  renamedSpeakers,
  speaker,
  theAudio,
} from '../../support/audio-events.js';
import { at, runId, speakerId } from '../../support/values.js';

const row = (id: number, parts: Partial<ResultRow>): ResultRow => ({
  speaker_id: speakerId(id),
  video_id: null,
  ...parts,
});
const apply = (...results: ReadonlyArray<ResultRow>): ApplyInference => ({
  type: 'ApplyInference',
  run_id: runId('r'),
  by: 'key',
  renumbered_at: -1,
  target_speaker_ids: [speakerId(1), speakerId(2)],
  results,
  at: at(5),
});
const inferred = (
  { type: _type, renumbered_at: _at, ...run }: ApplyInference,
  parts: Partial<AudioData<'NamesInferred'>>,
): AudioEvent => ({
  type: 'NamesInferred',
  data: { ...run, renamed: [], roles: [], ...parts },
});
const renamedTo = (name: string, parts: object = {}) => ({
  speaker_id: speakerId(1),
  name,
  previous_name: null,
  deal_person_id: null,
  previous_deal_person_id: null,
  named_by: { before: 'analysis' as const, after: 'person' as const },
  ...parts,
});

const role_by = { before: 'analysis', after: 'person' } as const;
const speakers = [speaker(1, null), speaker(2, null)];
const two = completedAudio(...speakers);
const fresh = theAudio.given(...two);
const named = apply(row(1, { name: 'Ada' }), row(2, { reason: 'no_proposal' }));

describe('results written by a name inference in commit mode', () => {
  it('include names, with the overwritten ones', () =>
    theAudio
      .given(...completedAudio(speaker(1, 'Ann', { deal_person_id: 'p1' }), speaker(2, null)))
      .cases([
        named,
        [inferred(named, { renamed: [renamedTo('Ada', { previous_name: 'Ann', previous_deal_person_id: 'p1' })] })],
      ]));

  it('include no name if a newer one was given since the request, and are dated after earlier names', () => {
    const after = (seconds: number) => theAudio.given(...two, renamedSpeakers(seconds, [[1, 'Eve', null]]));
    const renamed = [renamedTo('Ada', { previous_name: 'Eve', named_by: { before: 'person', after: 'person' } })];
    after(6).cases([named, [inferred(named, {})]]);
    after(4).cases([named, [inferred(named, { renamed })]]);
    after(5).cases([named, [inferred(named, { renamed, at: at(5.001) })]]);
  });

  it('include roles for speakers without one', () => {
    const command = apply(row(1, { role: 'agent' }), row(2, { role: 'customer' }));
    theAudio
      .given(...completedAudio(speaker(1, null, { role: 'customer' }), speaker(2, null)))
      .cases([command, [inferred(command, { roles: [{ speaker_id: speakerId(2), role: 'customer', role_by }] })]]);
  });

  it('include the run itself, even if nothing was accepted or the speaker was removed', () => {
    for (const command of [apply(row(1, { reason: 'quote_not_found' })), apply(row(7, { name: 'Ada', role: 'agent' }))])
      fresh.cases([command, [inferred(command, {})]]);
  });

  it('are written once: the same run again changes nothing', () =>
    theAudio.given(...two, inferred(named, { renamed: [renamedTo('Ada')] })).cases([named, []]));

  it('use the first accepted row of a speaker, separately for names and roles, and are from a person', () => {
    const command = apply(
      row(1, { reason: 'no_proposal', role: 'agent' }),
      row(1, { name: 'Ada', role: 'customer' }),
      row(1, { name: 'Bea' }),
    );
    const roles = [{ speaker_id: speakerId(1), role: 'agent' as const, role_by }];
    fresh.cases([command, [inferred(command, { renamed: [renamedTo('Ada')], roles })]]);
    const kept = { name: 'Ada', role: 'agent', named_by: 'person', role_by: 'person' };
    expect(registeredIn(fresh.after(command)).speakers.get(speakerId(1))).to.include(kept);
  });

  it('link the deal person with exactly that name, if there is only one', () => {
    const linked = (...names: ReadonlyArray<string>) => {
      const deal_persons = names.map((name, n) => ({ person_id: `p${n + 1}`, name }));
      const [event] = theAudio.given(registeredAudio({ deal_persons }), analysedAudio(speakers)).events(named);
      return event?.type === 'NamesInferred' ? event.data.renamed.map(({ deal_person_id }) => deal_person_id) : [];
    };
    expect(linked('Ada', 'Bea')).to.deep.equal(['p1']);
    for (const none of [linked('Ada', 'Ada'), linked('ada'), linked()]) expect(none).to.deep.equal([null]);
  });
});
