import { expect } from 'chai';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { videoView } from '../../projections/shown-records.js';
import { videoViewAt } from '../support/kill-nine/log.js';
import { at } from '../support/values.js';
import {
  block,
  change,
  committed,
  face,
  failed,
  queued,
  reverted,
  shown,
  suggested,
  videoAnalysed,
  videoRegistered,
} from './facts.js';
import { fact, recorded, rowsAfter } from './given.js';

const noMatch = { status: null, queued_at: null, mode: null, suggestions: null };

const viewAfter = (...events: ReadonlyArray<DomainEvent>) => {
  const history = events.map((event) => ['video-v1', event] as const);
  const rows = rowsAfter(...history);
  const row = rows.videos.get('v1');
  const view = row && videoView(row, rows.videoTags.get);
  expect(videoViewAt(recorded(history))).to.deep.equal(view ?? null);
  return view;
};
const recordAfter = (...events: ReadonlyArray<DomainEvent>) => viewAfter(videoRegistered(), ...events)?.record;
const facesAfter = (...events: ReadonlyArray<DomainEvent>) =>
  recordAfter(videoAnalysed(face(2), face(1)), ...events)?.faces;
const matchAfter = (...events: ReadonlyArray<DomainEvent>) => recordAfter(...events)?.speaker_face_match;

describe('projection: videos', () => {
  it('shows a registered video', () =>
    expect(viewAfter(videoRegistered())).to.deep.equal({
      record: {
        video_id: 'v1',
        owner_id: 'o1',
        title: 'A call',
        kind: 'meeting',
        media_url: null,
        status: 'queue',
        audio_id: null,
        faces: [],
        speaker_face_match: noMatch,
        tags: [],
        created_at: at(1),
        updated_at: at(1),
      },
      revision: 0,
      tag_places: [],
      run_id: null,
      decisions: [],
    }));

  it('ignores a stream without registration', () => {
    expect(viewAfter(videoAnalysed(face(1)))).to.equal(undefined);
    expect(videoViewAt([])).to.equal(null);
  });

  it('follows the association with an audio, and the revision and time of each event', () => {
    const associated = fact('AudioAssociated', {
      audio_id: 'a1',
      owner_id: 'o1',
      title: null,
      kind: 'meeting',
      deal_persons: [],
    });
    const view = viewAfter(videoRegistered(), associated);
    expect(view?.record).to.include({ audio_id: 'a1', created_at: at(1), updated_at: at(2) });
    expect(view?.revision).to.equal(1);
    expect(recordAfter(associated, fact('AudioDissociated', { audio_id: 'a1' }))?.audio_id).to.equal(null);
  });

  it('shows the faces of the newest analysis in its order', () => {
    expect(facesAfter()).to.deep.equal([shown(2), shown(1)]);
    expect(facesAfter(videoAnalysed(face(5)))).to.deep.equal([shown(5)]);
  });

  it('applies traits, names and matches of faces, and ignores unknown faces', () => {
    const personality_traits = { calm: 0.5 };
    const cause = { kind: 'request' };
    const link = change(1, {}, { speaker_id: 7, name: 'Ada' });
    const matched = fact('FacesMatched', { audio_id: 'a1', changes: [link], speakers: [], at: at(9) });
    const withdrawn = { speaker_id: 7, merged_into: null, changes: [change(1, link.after, {})], at: at(9) };
    expect(facesAfter(fact('PersonalityTraitsRecorded', { face_id: 1, personality_traits }))).to.deep.equal([
      shown(2),
      shown(1, { personality_traits }),
    ]);
    const names = [1, 9].map((face_id) => ({ face_id, name: 'Bo', previous_name: null }));
    expect(facesAfter(fact('FacesRenamed', { faces: names, cause, at: at(9) }))).to.deep.equal([
      shown(2),
      shown(1, { name: 'Bo' }),
    ]);
    expect(facesAfter(matched)).to.deep.equal([shown(2), shown(1, { speaker_id: 7, name: 'Ada' })]);
    expect(facesAfter(matched, fact('SpeakerWithdrawn', withdrawn))).to.deep.equal([shown(2), shown(1)]);
  });

  it('stores queue, time and mode of a suggest run and keeps the last block', () => {
    expect(matchAfter(queued('suggest'))).to.deep.equal({
      ...noMatch,
      status: 'queue',
      queued_at: at(50),
      mode: 'suggest',
    });
    expect(matchAfter(queued('suggest'), suggested())).to.include({ status: 'completed', queued_at: at(50) });
    expect(matchAfter(queued('suggest'), suggested(), queued('suggest'))?.suggestions).to.deep.equal(block());
    expect(viewAfter(videoRegistered(), queued('suggest', { run_id: 'r7' }))?.run_id).to.equal('r7');
  });

  it('clears time and mode for a commit run, whose write-back changes faces only', () => {
    const queue = { status: 'queue', queued_at: null, mode: null, suggestions: block() };
    const write = committed({
      replaced: [change(2, { speaker_id: 4 }, { name: 'Restored' })],
      changes: [change(1, {}, { speaker_id: 3, accuracy: 0.9 })],
    });
    const events = [suggested(), queued('commit'), write];
    expect(matchAfter(...events)).to.deep.equal(queue);
    expect(facesAfter(...events)).to.deep.equal([
      shown(2, { name: 'Restored' }),
      shown(1, { speaker_id: 3, accuracy: 0.9 }),
    ]);
  });

  it('takes back replaced changes before applying new ones', () => {
    const write = committed({
      replaced: [change(1, { speaker_id: 4 }, {})],
      changes: [change(1, {}, { speaker_id: 5 })],
    });
    expect(facesAfter(write)).to.deep.equal([shown(2), shown(1, { speaker_id: 5 })]);
  });

  it('shows failed only for a suggest run, and removes an assumed block', () => {
    expect(matchAfter(queued('suggest'), failed('suggest'))?.status).to.equal('failed');
    expect(matchAfter(queued('commit'), failed('commit'))?.status).to.equal('queue');
    const events = [queued('suggest'), suggested()];
    expect(matchAfter(...events, failed('suggest'))?.suggestions).to.deep.equal(block());
    expect(matchAfter(...events, failed('suggest', { withdraws_block: true }))?.suggestions).to.equal(null);
  });

  it('restores faces when a run is reverted', () =>
    expect(
      facesAfter(
        committed({ changes: [change(1, {}, { speaker_id: 5 })] }),
        reverted({ changes: [change(1, { speaker_id: 5 }, {})] }),
      ),
    ).to.deep.equal([shown(2), shown(1)]));
});

const standing = { value: 'old', category: 'provider', source: 'importer.a' };
const written = (seconds: number, source: string, values: Readonly<Record<string, unknown>>) =>
  fact('TagsWritten', {
    source,
    tags: Object.entries(values).map(([key, value]) => ({ key, category: 'provider', value, previous: null })),
    at: at(seconds),
  });
const removed = (key: string) => fact('TagRemoved', { key, previous: standing, at: at(9) });

const inVideoStream = (...events: ReadonlyArray<ReturnType<typeof fact>>) =>
  [videoRegistered(), ...events].map((event) => ['video-v1', event] as const);
const viewOf = (...events: ReadonlyArray<ReturnType<typeof fact>>) => videoViewAt(recorded(inVideoStream(...events)));
const tagsAfter = (...events: ReadonlyArray<ReturnType<typeof fact>>) => viewOf(...events)?.record.tags;

describe('projection: tags of videos', () => {
  const first = written(1, 'importer.a', { 'vpm.a': 1, 'vpm.b': ['x'] });
  const second = written(2, 'importer.b', { 'vpm.c': true, 'vpm.a': 'new' });
  const tag = (key: string, value: unknown, source: string, seconds: number) => ({
    key,
    value,
    category: 'provider',
    source,
    updated_at: at(seconds),
    updated_by: 'account',
  });

  it('shows each tag with its provenance, in insertion order', () =>
    expect(tagsAfter(first, second)).to.deep.equal([
      tag('vpm.a', 'new', 'importer.b', 2),
      tag('vpm.b', ['x'], 'importer.a', 1),
      tag('vpm.c', true, 'importer.b', 2),
    ]));

  it('drops removed tags, and appends them when they are added again', () => {
    expect(tagsAfter(first, removed('vpm.a'))).to.deep.equal([tag('vpm.b', ['x'], 'importer.a', 1)]);
    expect(tagsAfter(first, removed('vpm.none'))).to.deep.equal(tagsAfter(first));
    expect(tagsAfter(first, removed('vpm.a'), first)?.map(({ key }) => key)).to.deep.equal(['vpm.b', 'vpm.a']);
  });

  it('ignores a stream without registration', () =>
    expect(rowsAfter(['video-v1', first]).videoTags.all()).to.deep.equal([]));
});
