import { expect } from 'chai';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { audioView } from '../../projections/shown-records.js';
import { audioRowAt } from '../support/kill-nine/log.js';
import { at } from '../support/values.js';
import { audioAnalysed, audioRegistered, speaker } from './facts.js';
import { fact, recorded, rowsAfter } from './given.js';

const viewAfter = (...events: ReadonlyArray<DomainEvent>) => {
  const history = events.map((event) => ['audio-a1', event] as const);
  const view = rowsAfter(...history).audios.get('a1');
  expect(audioRowAt(recorded(history))).to.deep.equal(view ?? null);
  return view;
};
const recordAfter = (...events: ReadonlyArray<DomainEvent>) => viewAfter(audioRegistered(), ...events)?.record;

const chunks = { first_revision: 0, parts: 1 };

describe('projection: audios', () => {
  it('shows a registered audio', () =>
    expect(viewAfter(audioRegistered())).to.deep.equal({
      record: {
        audio_id: 'a1',
        owner_id: 'o1',
        title: null,
        status: 'queue',
        kind: 'upload',
        video_id: null,
        speakers: [],
        transcript_available: false,
        provider_supplied: false,
        transcript_replaced: false,
        speech_segments: null,
        manual_name_inference_runs: [],
        created_at: at(1),
        updated_at: at(1),
      },
      revision: 0,
      inferred_at: null,
      renumberings: [],
    }));

  it('ignores a stream without registration', () => expect(viewAfter(audioAnalysed())).to.equal(undefined));

  it('follows the parent video', () => {
    const attached = fact('AudioAttached', { video_id: 'v1', owner_id: 'o1', title: null, kind: 'upload' });
    expect(recordAfter(attached)).to.include({ video_id: 'v1', updated_at: at(2) });
    expect(recordAfter(attached, fact('AudioDetached', { video_id: 'v1' }))?.video_id).to.equal(null);
    const standing = { ...speaker(1), name: 'Ann', named_by: 'analysis', role_by: 'analysis' };
    const detached = fact('AudioDetached', { video_id: 'v1', title: 'Call', speakers: [standing] });
    expect(recordAfter(attached, audioAnalysed({ speakers: [speaker(1)] }), detached)).to.deep.include({
      video_id: null,
      title: 'Call',
      speakers: [{ ...speaker(1), name: 'Ann' }],
    });
  });

  it('shows status, speakers and speech segments of the newest analysis', () =>
    expect(
      recordAfter(audioAnalysed({ speakers: [speaker(2), speaker(1)], speech_segments: 's3://x' })),
    ).to.deep.include({ status: 'completed', speakers: [speaker(2), speaker(1)], speech_segments: 's3://x' }));

  it('has a transcript once one was recorded', () => {
    expect(recordAfter(audioAnalysed({ turns: chunks }))?.transcript_available).to.equal(false);
    expect(recordAfter(audioAnalysed({ transcript: chunks }), audioAnalysed())?.transcript_available).to.equal(true);
    const replaced = fact('TranscriptReplaced', { transcript_id: 'x', transcript: chunks });
    expect(recordAfter(replaced)).to.include({ transcript_available: true, transcript_replaced: true });
  });

  it('records permanently that a provider supplied the transcript', () => {
    const supplied = audioAnalysed({ provider_supplied: true });
    expect(recordAfter(supplied, audioAnalysed())?.provider_supplied).to.equal(true);
    expect(recordAfter(audioAnalysed())?.provider_supplied).to.equal(false);
  });

  it('is shown with all reasons against name inference', () => {
    const shown = (kind: 'meeting' | 'upload' | null, ...events: ReadonlyArray<DomainEvent>) => {
      const row = viewAfter(audioRegistered({ video_id: kind && 'v1' }), ...events);
      return row && audioView(row, () => kind).record.name_inference;
    };
    const ready = audioAnalysed({ transcript: chunks });
    expect(shown(null, ready)).to.deep.equal({ eligible: true, reasons: [] });
    expect(shown('upload', ready)).to.deep.equal({ eligible: true, reasons: [] });
    expect(shown(null)).to.deep.equal({ eligible: false, reasons: ['transcript_not_ready'] });
    expect(
      shown(
        'meeting',
        audioAnalysed({ provider_supplied: true, speech_segments: 's3://x' }),
        fact('TranscriptReplaced', { transcript_id: 'x', transcript: null }),
      ),
    ).to.deep.equal({
      eligible: false,
      reasons: ['meeting', 'transcript_replaced', 'provider_supplied', 'speech_segments', 'transcript_not_ready'],
    });
  });

  it('follows names and roles, and speakers that are merged or deleted', () => {
    const analysed = audioAnalysed({ speakers: [speaker(1), speaker(2)] });
    const renamed = { speaker_id: 1, name: 'Ada', previous_name: null };
    const role = { speaker_id: 2, role: 'agent', previous_role: null };
    expect(
      recordAfter(
        analysed,
        fact('SpeakersRenamed', { speakers: [renamed], cause: { kind: 'request' }, at: at(9) }),
        fact('SpeakerRolesSet', { speakers: [role] }),
      )?.speakers,
    ).to.deep.equal([speaker(1, { name: 'Ada' }), speaker(2, { role: 'agent' })]);
    const merged = fact('SpeakersMerged', { from: 1, into: 2, removed: speaker(1), at: at(9) });
    expect(recordAfter(analysed, merged)?.speakers).to.deep.equal([speaker(2)]);
    const deleted = fact('SpeakerDeleted', { removed: speaker(2), at: at(9) });
    expect(recordAfter(analysed, merged, deleted)?.speakers).to.deep.equal([]);
  });
});
