import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { matchEvidence, transcriptOf } from '../../application/evidence/evidence.js';
import {
  audioState,
  completedMedia,
  videoState,
  logOf,
  type World,
  world,
  recordAudioAnalysis,
  recordVideoAnalysis,
} from '../support/application/world.js';
import {
  type FailingStore,
  failingStore,
  failed,
  succeeded,
  openTemporarySqlite,
  type OpenedStore,
} from '../support/event-store/stores.js';
import { audioId, faceId, speakerId, videoId } from '../support/values.js';
import { shortOrLong } from '../support/long-form.js';

const id = videoId('v');

/** A face with this number of visible and talking intervals. */
const busyFace = (face: number, times: number) => ({
  id: faceId(face),
  tracks: Array.from({ length: times }, (_, n) => ({ start: n, end: n + 0.5 })),
  talking: Array.from({ length: times }, (_, n) => ({ start: n, end: n + 0.25, score: 0.123_456 })),
  captions: [{ start: 0, end: 1, text: `Face number ${face}` }],
});
const faces = (count: number, times: number) => ({
  status: 'completed' as const,
  faces: Array.from({ length: count }, (_, face) => busyFace(face, times)),
});

const speech = (words: number) => ({
  status: 'completed' as const,
  speakers: [0, 1].map((one) => ({ speaker_id: speakerId(one) })),
  segments: Array.from({ length: words }, (_, n) => ({ speaker_id: speakerId(n % 2), start: n, end: n + 1 })),
  transcript: Array.from({ length: words }, (_, n) => ({
    speaker_id: speakerId(n % 2),
    start: n,
    end: n + 1,
    text: 'word',
  })),
});

const parts = async (place: World, stream: string): Promise<number> =>
  (await logOf(place)).filter((line) => line.startsWith(`${stream} `)).length;

const evidence = async (place: World) => {
  const [video, audio] = [await videoState(place, 'v'), await audioState(place, 'v')];
  return succeeded(matchEvidence(place.app, video, audio, null));
};

describe('bulky evidence', () => {
  let opened: OpenedStore;
  let failing: FailingStore;
  let place: World;
  beforeEach(async () => {
    opened = await openTemporarySqlite();
    failing = failingStore(opened.store);
    place = world(failing.store);
    await completedMedia(place, 'v');
  });
  afterEach(() => opened.close());

  it('of a big analysis is written in parts and read back whole', async () => {
    const { app, request } = place;
    const analysis = faces(20, shortOrLong(1_500, 3_000));
    await succeeded(recordVideoAnalysis(app, request(), id, analysis));
    const spoken = speech(12_000);
    await succeeded(recordAudioAnalysis(app, request(), audioId('v'), spoken));
    const { tracks } = await videoState(place, 'v');
    const audio = await audioState(place, 'v');
    expect([tracks?.parts, audio.transcript?.parts].every((count = 0) => count > 3)).to.equal(true);
    const events = await succeeded(app.store.read('faceTracks-v', -1, 1_000));
    events.forEach(({ data }) => expect(JSON.stringify(data).length).to.be.lessThan(300_000));
    const input = await evidence(place);
    expect(input.faces).to.deep.equal(
      analysis.faces.map(({ id: face_id, ...face }) => ({
        ...face,
        face_id,
        name: face_id === 2 ? 'Zoe' : `Face ${face_id}`,
      })),
    );
    expect(input.speakers.map(({ turns }) => turns.length)).to.deep.equal([6_000, 6_000]);
    expect(await succeeded(transcriptOf(app, audio))).to.deep.equal(spoken.transcript);
  });

  it('of speakers merged since belongs to the remaining speaker, and of deleted ones is omitted', async () => {
    const { app, request } = place;
    await succeeded(recordAudioAnalysis(app, request(), audioId('v'), speech(10)));
    const at = request().at;
    const merge = { type: 'MergeSpeakers' as const, from: speakerId(0), into: speakerId(1), at };
    await succeeded(app.perform(request(), 'audios', audioId('v'), merge));
    expect((await evidence(place)).speakers.map(({ turns }) => turns.length)).to.deep.equal([10]);
    const remove = { type: 'DeleteSpeaker' as const, speaker_id: speakerId(1), at };
    await succeeded(app.perform(request(), 'audios', audioId('v'), remove));
    expect((await evidence(place)).speakers).to.deep.equal([]);
  });

  it('that was written only in part is not used; the analysis sent again is complete', async () => {
    const { app, request } = place;
    const before = await videoState(place, 'v');
    failing.failAfter(3);
    expect(await failed(recordVideoAnalysis(app, request(), id, faces(20, 3_000)))).to.include({
      _tag: 'StoreUnavailable',
    });
    failing.recover();
    expect(await videoState(place, 'v')).to.deep.equal(before);
    const orphans = await parts(place, 'faceTracks-v');
    await succeeded(recordVideoAnalysis(app, request(), id, faces(20, 3_000)));
    const { tracks } = await videoState(place, 'v');
    expect(tracks?.first_revision).to.equal(orphans);
    expect((await evidence(place)).faces.map((face) => face.tracks.length)).to.deep.equal(
      Array.from({ length: 20 }, () => 3_000),
    );
  });

  it('of simultaneous analyses is separate, each complete', async () => {
    const { app, request } = place;
    const outcomes = await Promise.all(
      [3_000, 2_000, 1_000].map((times) => recordVideoAnalysis(app, request(), id, faces(20, times))()),
    );
    expect(outcomes.map(E.isRight)).to.deep.equal([true, true, true]);
    const counts = new Set((await evidence(place)).faces.map((face) => face.tracks.length));
    expect(counts.size).to.equal(1);
    const analyses = await succeeded(app.store.read('video-v', 2, 10));
    expect(analyses).to.have.length(3);
  });
});
