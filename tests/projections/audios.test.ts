import { expect } from 'chai';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { audioView } from '../../projections/shown-records.js';
import { audioRowAt } from '../support/kill-nine/log.js';
import { at } from '../support/values.js';
import { analysedAudio, registeredAudio, renamedSpeakers, speaker } from '../support/audio-events.js';
import { fact, recorded, rowsAfter } from './given.js';

const viewAfter = (...events: ReadonlyArray<DomainEvent>) => {
  const history = events.map((event) => ['audio-a', event] as const);
  const view = rowsAfter(...history).audios.get('a');
  expect(audioRowAt(recorded(history))).to.deep.equal(view ?? null);
  return view;
};
const recordAfter = (...events: ReadonlyArray<DomainEvent>) => viewAfter(registeredAudio(), ...events)?.record;

/** An analysis that keeps the transcript unless it brings one. */
const analysed = ({ transcript = null, ...parts }: Parameters<typeof analysedAudio>[2] = {}) =>
  analysedAudio([], 'completed', { transcript, keeps: { turns: false, transcript: transcript === null }, ...parts });
const chunks = { first_revision: 0, parts: 1 };

describe('projection: audios', () => {
  it('shows a registered audio', () =>
    expect(viewAfter(registeredAudio())).to.deep.equal({
      record: {
        audio_id: 'a',
        owner_id: 'owner',
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

  it('ignores a stream without registration', () => expect(viewAfter(analysed())).to.equal(undefined));

  it('follows the parent video', () => {
    const attached = fact('AudioAttached', { video_id: 'v1', owner_id: 'o1', title: null, kind: 'upload' });
    expect(recordAfter(attached)).to.include({ video_id: 'v1', updated_at: at(2) });
    expect(recordAfter(attached, fact('AudioDetached', { video_id: 'v1' }))?.video_id).to.equal(null);
    const standing = { ...speaker(1, 'Ann'), named_by: 'analysis', role_by: 'analysis' };
    const detached = fact('AudioDetached', { video_id: 'v1', title: 'Call', speakers: [standing] });
    expect(recordAfter(attached, analysedAudio([speaker(1, null)]), detached)).to.deep.include({
      video_id: null,
      title: 'Call',
      speakers: [speaker(1, 'Ann')],
    });
  });

  it('shows status, speakers and speech segments of the newest analysis', () =>
    expect(
      recordAfter(analysedAudio([speaker(2, null), speaker(1, null)], 'completed', { speech_segments: 's3://x' })),
    ).to.deep.include({
      status: 'completed',
      speakers: [speaker(2, null), speaker(1, null)],
      speech_segments: 's3://x',
    }));

  it('has a transcript once one was recorded', () => {
    expect(recordAfter(analysed({ turns: chunks }))?.transcript_available).to.equal(false);
    expect(recordAfter(analysed({ transcript: chunks }), analysed())?.transcript_available).to.equal(true);
    const replaced = fact('TranscriptReplaced', { transcript_id: 'x', transcript: chunks });
    expect(recordAfter(replaced)).to.include({ transcript_available: true, transcript_replaced: true });
  });

  it('records permanently that a provider supplied the transcript', () => {
    const supplied = analysed({ provider_supplied: true });
    expect(recordAfter(supplied, analysed())?.provider_supplied).to.equal(true);
    expect(recordAfter(analysed())?.provider_supplied).to.equal(false);
  });

  it('is shown with all reasons against name inference', () => {
    const shown = (kind: 'meeting' | 'upload' | null, ...events: ReadonlyArray<DomainEvent>) => {
      const row = viewAfter(registeredAudio(kind === null ? {} : { video: 'v1' }), ...events);
      return row && audioView(row, () => kind).record.name_inference;
    };
    const ready = analysed({ transcript: chunks });
    expect(shown(null, ready)).to.deep.equal({ eligible: true, reasons: [] });
    expect(shown('upload', ready)).to.deep.equal({ eligible: true, reasons: [] });
    expect(shown(null)).to.deep.equal({ eligible: false, reasons: ['transcript_not_ready'] });
    expect(
      shown(
        'meeting',
        analysed({ provider_supplied: true, speech_segments: 's3://x' }),
        fact('TranscriptReplaced', { transcript_id: 'x', transcript: null }),
      ),
    ).to.deep.equal({
      eligible: false,
      reasons: ['meeting', 'transcript_replaced', 'provider_supplied', 'speech_segments', 'transcript_not_ready'],
    });
  });

  it('follows names and roles, and speakers that are merged or deleted', () => {
    const two = analysedAudio([speaker(1, null), speaker(2, null)]);
    const role = { speaker_id: 2, role: 'agent', previous_role: null };
    expect(
      recordAfter(two, renamedSpeakers(9, [[1, 'Ada', null]]), fact('SpeakerRolesSet', { speakers: [role] }))?.speakers,
    ).to.deep.equal([speaker(1, 'Ada'), speaker(2, null, { role: 'agent' })]);
    const merged = fact('SpeakersMerged', { from: 1, into: 2, removed: speaker(1, null), at: at(9) });
    expect(recordAfter(two, merged)?.speakers).to.deep.equal([speaker(2, null)]);
    const deleted = fact('SpeakerDeleted', { removed: speaker(2, null), at: at(9) });
    expect(recordAfter(two, merged, deleted)?.speakers).to.deep.equal([]);
  });
});
