import { expect } from 'chai';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { videoViewIn } from '../../projections/shown-records.js';
import { videoViewAt } from '../support/kill-nine/log.js';
import { analysedAudio, registeredAudio, renamedSpeakers, speaker } from '../support/audio-events.js';
import { decided, ruling } from '../support/link-decisions.js';
import { at, speakerId } from '../support/values.js';
import {
  analysed,
  block,
  change,
  changeReverted,
  committed,
  erasedVideo,
  face,
  facesMatched,
  proposed,
  renamedFaces,
  queued,
  registered,
  runFailed,
  runReverted,
  stored,
} from '../support/video-events.js';
import { type StreamEvent, fact, recorded, rowsAfter } from './given.js';

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

const ofVideo = (event: DomainEvent): StreamEvent => ['video-v', event];
const viewAfter = (...events: ReadonlyArray<DomainEvent>) => {
  const history = events.map(ofVideo);
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

const associated = fact('AudioAssociated', {
  audio_id: 'a',
  owner_id: 'o1',
  title: null,
  kind: 'meeting',
  deal_persons: [],
});
const dissociated = fact('AudioDissociated', { audio_id: 'a' });

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
      run_id: null,
      decisions: [],
    }));

  it('ignores a stream without registration', () => {
    expect(viewAfter(analysedAs(1))).to.equal(null);
    expect(videoViewAt([])).to.equal(null);
  });

  it('follows the association with an audio, and the revision and time of each event', () => {
    const view = viewAfter(video, associated);
    expect(view?.record).to.include({ audio_id: 'a', created_at: at(1), updated_at: at(2) });
    expect(view?.revision).to.equal(1);
    expect(recordAfter(associated, dissociated)?.audio_id).to.equal(null);
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

const inVideoStream = (...events: ReadonlyArray<ReturnType<typeof fact>>) => [video, ...events].map(ofVideo);
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

  it('keeps the place of a tag that is written again, and drops all with the video', () => {
    const { videoTags } = rowsAfter(...inVideoStream(first, second));
    expect(videoTags.all().map(({ place }) => place)).to.deep.equal([10_000, 10_001, 20_000]);
    expect(rowsAfter(...inVideoStream(first, erasedVideo)).videoTags.all()).to.deep.equal([]);
  });

  it('drops removed tags, and appends them when they are added again', () => {
    expect(tagsAfter(first, removed('vpm.a'))).to.deep.equal([tag('vpm.b', ['x'], 'importer.a', 1)]);
    expect(tagsAfter(first, removed('vpm.none'))).to.deep.equal(tagsAfter(first));
    expect(tagsAfter(first, removed('vpm.a'), first)?.map(({ key }) => key)).to.deep.equal(['vpm.b', 'vpm.a']);
  });

  it('ignores a stream without registration', () =>
    expect(rowsAfter(['video-v', first]).videoTags.all()).to.deep.equal([]));
});

const ofAudio = (event: DomainEvent): StreamEvent => ['audio-a', event];
const openIn = ({ reviewQuestions, nameQuestions }: ReturnType<typeof rowsAfter>) =>
  [...reviewQuestions.all(), ...nameQuestions.all()]
    .flatMap(({ open, kind, speaker_id }) => (open ? [`${kind} ${speaker_id}`] : []))
    .toSorted()
    .join(', ');

const link = (id: number, speaker: number, accuracy: number | null = null) =>
  changed(id, {}, { speaker_id: speakerId(speaker), accuracy });
const put = facesMatched(9, [link(1, 1)]);
const byWorker = (speaker: number) => committed('r', 1, { changes: [link(1, speaker, 0.9)] });
const unseen = decided([], [ruling(3, null)]);
const rejected = decided([], [ruling(1, 1), ruling(2, 2)]);
const undone = changeReverted({ ruled_out: [ruling(1, 1, false), ruling(2, 2, false)] });
const withdrawn = fact('SpeakerWithdrawn', { speaker_id: 3, merged_into: null, changes: [], at: at(9) });
const moved = [{ from: speakerId(1), to: speakerId(4), seconds: 1 }];
const renumbering = { renumbered: moved, discontinued: [speakerId(3)] };
const renumbered = fact('SpeakersRenumbered', { ...renumbering, audio_id: 'a', audio_revision: 2, at: at(9) });

describe('projection: open questions about links and captions, decisions, and the need of review', () => {
  const captioned = { ...proposed(2, 2, 0.6), evidence: { contradicting_caption: 'Bob' } };
  const mappings = [proposed(1, 1, 0.6), captioned].map((one) => ({ ...one, name: null }));
  const unmatched_speakers = [{ speaker_id: speakerId(3), reason: 'ambiguous' }];
  const given = [registered(), analysedAs(1, 2), stored(block('r', 100, { mappings, unmatched_speakers }))];
  const all = 'link 1, link 2, link 3, name 2';
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<DomainEvent>, string, string, needs_review: boolean]> = [
    ['a run', [], all, '', true],
    ['a person matched a face', [put], 'link 2, link 3, name 2', '1-1 confirmed', true],
    ['a person matched another speaker', [facesMatched(9, [link(1, 2)])], 'link 3', '2-1 confirmed', false],
    ['a worker matched a face', [byWorker(1), unseen], 'link 1, link 2, name 2', '3-null confirmed', true],
    ['a worker matched another face', [put, byWorker(2)], all, '', true],
    ['links were rejected', [rejected], 'link 3', '1-1 rejected, 2-2 rejected', false],
    ['this was undone', [rejected, undone], all, '', true],
    ['a speaker is gone', [unseen, withdrawn], all, '', true],
    ['speakers were renumbered', [put, unseen, renumbered], 'link 2, name 2', '4-1 confirmed', true],
    ['a face is gone', [rejected, analysedAs(1)], 'link 3', '1-1 rejected', true],
    ['another run found nothing', [stored(block('s', 200))], '', '', false],
    ['another run began', [queued('s', 'suggest', 200)], all, '', false],
    ['another run began that commits', [queued('s', 'commit', 200)], all, '', true],
    ['another analysis began', [analysed([], 'processing')], '', '', true],
    ['the audio went', [dissociated], '', '', true],
    ['the video went', [erasedVideo], '', '', false],
  ];
  for (const [what, events, open, decisions, needs_review] of cases)
    it(`after ${what}`, () => {
      const rows = rowsAfter(...[...given, ...events].map(ofVideo));
      expect(openIn(rows)).to.equal(open);
      const made = rows.videos.get('v')?.decisions ?? [];
      expect(made.map((one) => `${one.speaker_id}-${one.face_id} ${one.verdict}`).join(', ')).to.equal(decisions);
      expect(rows.videos.where('needs_review', 'yes').length > 0).to.equal(needs_review);
    });

  it('ask about a name that a caption contradicts', () =>
    expect(rowsAfter(...given.map(ofVideo)).reviewQuestions.get('v/2/name')).to.deep.include({
      candidates: [{ face_id: 2, accuracy: 0.6 }],
      gain: 0.3,
      names: [{ name: 'Bob', source: 'caption' }],
    }));
});

describe('projection: open questions about names that were inferred', () => {
  const results = ['Ada', 'Bo'].map((name, index) => ({ speaker_id: index + 1, video_id: 'v', name }));
  const inquiry = { run_id: 'r', audio_id: 'a', video_id: 'v', account_id: 'owner', mode: 'suggest', model: 'm' };
  const asked = { ...inquiry, target_speaker_ids: [1, 2], infer_roles: false, at: at(3) };
  const answered = fact('NameInferenceAnswered', { ...asked, results, total_tokens: 9, amount: '1', by: 'key' });
  const given = [
    ...[registered(), analysedAs(1)].map(ofVideo),
    ...[registeredAudio({ video: 'v' }), analysedAudio([speaker(1, null), speaker(2, null)])].map(ofAudio),
    ['nameInference-r', answered] as const,
  ];
  const named = (name: string) => ofAudio(renamedSpeakers(9, [[1, name, null]]));
  const later = ofAudio(analysedAudio([speaker(4, null)], 'completed', renumbering));
  const cases: ReadonlyArray<readonly [string, ReadonlyArray<StreamEvent>, string]> = [
    ['an answer', [], 'name 1, name 2'],
    ['a person named the speaker', [named('Ann')], 'name 2'],
    ['a person gave it a label', [named('SPEAKER_07')], 'name 2'],
    ['an analysis renumbered the speakers', [later], 'name 4'],
    ['an answer about the speakers of before', [later, ['nameInference-s', answered]], 'name 4'],
    ['another analysis of the audio began', [ofAudio(analysedAudio([], 'processing'))], ''],
    ['the audio went', [ofVideo(dissociated)], ''],
    ['the audio came back', [ofVideo(dissociated), ofVideo(associated)], 'name 1, name 2'],
    ['the video went', [ofVideo(erasedVideo)], ''],
  ];
  for (const [what, events, open] of cases)
    it(`after ${what}`, () => expect(openIn(rowsAfter(...given, ...events))).to.equal(open));

  it('keep no name of a voice that is gone', () => {
    const gone = ofAudio(analysedAudio([], 'completed', { renumbered: [], discontinued: [speakerId(2)] }));
    expect(rowsAfter(...given, gone).nameQuestions.get('v/2/name')?.names).to.equal(null);
  });
});
