import { expect } from 'chai';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { videoViewIn } from '../../projections/shown-records.js';
import { videoViewAt } from '../support/kill-nine/log.js';
import { at, speakerId } from '../support/values.js';
import {
  analysed,
  block,
  change,
  committed,
  face,
  facesMatched,
  renamedFaces,
  queued,
  registered,
  runFailed,
  runReverted,
  stored,
} from '../support/video-events.js';
import { fact, recorded, rowsAfter } from './given.js';

const video = registered({ audio: null });
const analysedAs = (...ids: ReadonlyArray<number>) => analysed(ids.map((id) => face(id, `Face ${id}`)));
/** A face as it is shown. */
const shown = (id: number, parts: object = {}) => ({
  id,
  name: `Face ${id}`,
  speaker_id: null,
  accuracy: null,
  personality_traits: null,
  ...parts,
});
const suggested = stored(block('r', 100));
const noMatch = { status: null, queued_at: null, mode: null, suggestions: null };

const viewAfter = (...events: ReadonlyArray<DomainEvent>) => {
  const history = events.map((event) => ['video-v', event] as const);
  const rows = rowsAfter(...history);
  const view = videoViewIn(rows, 'v');
  expect(videoViewAt(recorded(history))).to.deep.equal(view);
  return view;
};
const recordAfter = (...events: ReadonlyArray<DomainEvent>) => viewAfter(video, ...events)?.record;
const facesAfter = (...events: ReadonlyArray<DomainEvent>) => recordAfter(analysedAs(2, 1), ...events)?.faces;
const matchAfter = (...events: ReadonlyArray<DomainEvent>) => recordAfter(...events)?.speaker_face_match;
/** A change of a face that keeps its label unless said otherwise. */
const changed = (id: number, before: object, after: object) =>
  change(id, { name: `Face ${id}`, ...before }, { name: `Face ${id}`, ...after });

describe('projection: videos', () => {
  it('shows a registered video', () =>
    expect(viewAfter(video)).to.deep.equal({
      record: {
        video_id: 'v',
        owner_id: 'owner',
        title: null,
        kind: 'upload',
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
    expect(viewAfter(analysedAs(1))).to.equal(null);
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
    const view = viewAfter(video, associated);
    expect(view?.record).to.include({ audio_id: 'a1', created_at: at(1), updated_at: at(2) });
    expect(view?.revision).to.equal(1);
    expect(recordAfter(associated, fact('AudioDissociated', { audio_id: 'a1' }))?.audio_id).to.equal(null);
  });

  it('shows the faces of the newest analysis in its order', () => {
    expect(facesAfter()).to.deep.equal([shown(2), shown(1)]);
    expect(facesAfter(analysedAs(5))).to.deep.equal([shown(5)]);
  });

  it('applies traits, names and matches of faces, and ignores unknown faces', () => {
    const traits = { personality_traits: { calm: 0.5 } };
    const first = (parts: object) => [shown(2), shown(1, parts)];
    expect(facesAfter(fact('PersonalityTraitsRecorded', { face_id: 1, ...traits }))).to.deep.equal(first(traits));
    const names = renamedFaces(9, [
      [1, 'Bo', null],
      [9, 'Bo', null],
    ]);
    expect(facesAfter(names)).to.deep.equal(first({ name: 'Bo' }));
    const ada = { speaker_id: speakerId(7), name: 'Ada' };
    const matched = facesMatched(9, [changed(1, {}, ada)]);
    const withdrawn = { speaker_id: 7, merged_into: null, changes: [changed(1, ada, {})], at: at(9) };
    expect(facesAfter(matched)).to.deep.equal(first(ada));
    expect(facesAfter(matched, fact('SpeakerWithdrawn', withdrawn))).to.deep.equal(first({}));
  });

  it('stores queue, time and mode of a suggest run and keeps the last block', () => {
    const run = queued('r', 'suggest', 50);
    expect(matchAfter(run)).to.deep.equal({ ...noMatch, status: 'queue', queued_at: at(50), mode: 'suggest' });
    expect(matchAfter(run, suggested)).to.include({ status: 'completed', queued_at: at(50) });
    expect(matchAfter(run, suggested, run)?.suggestions).to.deep.equal(block('r', 100));
    expect(viewAfter(video, queued('r7', 'suggest', 50))?.run_id).to.equal('r7');
  });

  it('clears time and mode for a commit run, whose write-back changes faces only', () => {
    const queue = { status: 'queue', queued_at: null, mode: null, suggestions: block('r', 100) };
    const write = committed('r', 100, {
      replaced: [changed(2, { speaker_id: speakerId(4) }, { name: 'Restored' })],
      changes: [changed(1, {}, { speaker_id: speakerId(3), accuracy: 0.9 })],
    });
    const events = [suggested, queued('r', 'commit', 50), write];
    expect(matchAfter(...events)).to.deep.equal(queue);
    expect(facesAfter(...events)).to.deep.equal([
      shown(2, { name: 'Restored' }),
      shown(1, { speaker_id: speakerId(3), accuracy: 0.9 }),
    ]);
  });

  it('takes back replaced changes before applying new ones', () => {
    const write = committed('r', 100, {
      replaced: [changed(1, { speaker_id: speakerId(4) }, {})],
      changes: [changed(1, {}, { speaker_id: speakerId(5) })],
    });
    expect(facesAfter(write)).to.deep.equal([shown(2), shown(1, { speaker_id: speakerId(5) })]);
  });

  it('shows failed only for a suggest run, and removes an assumed block', () => {
    expect(matchAfter(queued('r', 'suggest', 50), runFailed(100, { mode: 'suggest' }))?.status).to.equal('failed');
    expect(matchAfter(queued('r', 'commit', 50), runFailed(100))?.status).to.equal('queue');
    const events = [queued('r', 'suggest', 50), suggested];
    expect(matchAfter(...events, runFailed(100, { mode: 'suggest' }))?.suggestions).to.deep.equal(block('r', 100));
    expect(matchAfter(...events, runFailed(100, { mode: 'suggest', withdraws_block: true }))?.suggestions).to.equal(
      null,
    );
  });

  it('restores faces when a run is reverted', () =>
    expect(
      facesAfter(
        committed('r', 100, { changes: [changed(1, {}, { speaker_id: speakerId(5) })] }),
        runReverted(200, [changed(1, { speaker_id: speakerId(5) }, {})]),
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
  [video, ...events].map((event) => ['video-v', event] as const);
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
    expect(rowsAfter(['video-v', first]).videoTags.all()).to.deep.equal([]));
});
