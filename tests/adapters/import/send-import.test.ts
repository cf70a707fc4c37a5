import { expect } from 'chai';
import { importFiles } from '../../../adapters/import/import-files.js';
import type { Imported } from '../../../adapters/import/format.js';
import { readImportFile } from '../../../adapters/import/read-document.js';
import { sendImport } from '../../../adapters/import/send-import.js';
import { type Answer, standIn, type StandIn } from './service.js';
import { avaFaces, avaTurns, left, right } from './support.js';

const ok = (body: unknown): Answer => ({ status: 200, body });
const video = (audio_id: string | null): Answer => ok({ video_id: 'v-1', audio_id, title: 'x' });
const audio = (video_id: string | null): Answer => ok({ audio_id: 'a-1', video_id });
const analysed = {
  'PUT /v2/videos/v-1/analysis': ok({ status: 'completed' }),
  'PUT /v2/audios/a-1/analysis': ok({ status: 'completed' }),
};
const created = { 'POST /v2/videos': video(null), 'POST /v2/audios': audio('v-1'), ...analysed };

const read = async (path: string): Promise<Imported> => right(readImportFile(path)).imported;

describe('sendImport', () => {
  let service: StandIn | null = null;
  const serve = async (answers: Readonly<Record<string, Answer>>): Promise<StandIn> => {
    service = await standIn(answers);
    return service;
  };
  const calls = (): string[] => (service?.received ?? []).map(({ method, path }) => `${method} ${path}`);
  afterEach(async () => {
    await service?.close();
    service = null;
  });

  it('creates the video and the audio, then writes both analyses', async () => {
    const { url, received } = await serve(created);
    const [{ faces }, { speech }] = [await read(avaFaces), await read(avaTurns)];
    if (faces === null || speech === null) throw new Error('faces and speech were expected');
    const sent = await sendImport(
      { url, key: 'secret' },
      { faces, speech, provider_supplied: false, joined: null },
      { title: 'A film' },
    );
    expect(right(sent)).to.deep.equal({ video: { id: 'v-1', created: true }, audio: { id: 'a-1', created: true } });
    expect(received.map(({ key }) => key)).to.deep.equal(['secret', 'secret', 'secret', 'secret']);
    expect(received.map(({ method, path, body }) => ({ method, path, body }))).to.deep.equal([
      { method: 'POST', path: '/v2/videos', body: { title: 'A film' } },
      { method: 'POST', path: '/v2/audios', body: { title: 'A film', video_id: 'v-1' } },
      { method: 'PUT', path: '/v2/videos/v-1/analysis', body: { status: 'completed', faces: faces.faces } },
      {
        method: 'PUT',
        path: '/v2/audios/a-1/analysis',
        body: {
          status: 'completed',
          speakers: [{ speaker_id: 0 }, { speaker_id: 1 }, { speaker_id: 2 }],
          segments: speech.segments,
        },
      },
    ]);
  });

  const importing = (files: string[], ids: { videoId?: string; audioId?: string } = {}) =>
    importFiles({ files, url: `${service?.url ?? ''}/`, key: 'k', ...ids });
  const given = { videoId: 'v-1', audioId: 'a-1' };

  it('creates missing records with the given ids', async () => {
    const { received } = await serve(created);
    right(await importing([avaFaces, avaTurns], given));
    expect(calls().slice(0, 4)).to.deep.equal([
      'GET /v2/videos/v-1',
      'GET /v2/audios/a-1',
      'POST /v2/videos',
      'POST /v2/audios',
    ]);
    const title = right(readImportFile(avaFaces)).imported.faces?.summary.recording;
    expect(title).to.match(/\S/);
    expect(received[2]?.body).to.deep.equal({ video_id: 'v-1', title });
    expect(received[3]?.body).to.deep.equal({ audio_id: 'a-1', video_id: 'v-1', title });
  });

  it('uses existing records: a video with its own audio', async () => {
    await serve({ 'GET /v2/videos/v-1': video('a-1'), 'GET /v2/audios/a-1': audio('v-1'), ...analysed });
    const { json } = right(await importing([avaFaces, avaTurns], { videoId: 'v-1' }));
    expect(calls()).to.deep.equal(['GET /v2/videos/v-1', 'GET /v2/audios/a-1', ...Object.keys(analysed)]);
    expect(json).to.deep.include({ video: { id: 'v-1', created: false }, audio: { id: 'a-1', created: false } });
  });

  it('links an audio without a video to the new video', async () => {
    const { received } = await serve({ 'GET /v2/audios/a-1': audio(null), ...created });
    right(await importing([avaFaces, avaTurns], { audioId: 'a-1' }));
    expect(received.find(({ method }) => method === 'POST')?.body).to.deep.include({ audio_id: 'a-1' });
    expect(calls()).not.to.include('POST /v2/audios');
  });

  it('says that an audio keeps its transcript, if there are only turns', async () => {
    const kept = ok({ audio_id: 'a-1', video_id: null, transcript_available: true });
    await serve({ 'GET /v2/audios/a-1': kept, ...analysed });
    const { text } = right(await importing([avaTurns], { audioId: 'a-1' }));
    expect(text).to.include('noted: the audio a-1 keeps its transcript, whose speaker numbers came from other labels');
  });

  it('creates no video for turns only', async () => {
    await serve({ 'POST /v2/audios': audio(null), ...analysed });
    right(await importing([avaTurns]));
    expect(calls().slice(1)).to.deep.equal(['POST /v2/audios', 'PUT /v2/audios/a-1/analysis']);
    expect(calls()[0]).to.match(/^GET \/v2\/audios\/import-[0-9a-f]{24}$/);
  });

  it('refuses records that do not belong together, and writes nothing', async () => {
    await serve({ 'GET /v2/videos/v-1': video('a-9'), 'GET /v2/audios/a-1': audio('v-9'), ...created });
    expect(left(await importing([avaFaces, avaTurns], given)).messages).to.deep.equal([
      'the video v-1 already has the audio a-9; use that audio id',
    ]);
    expect(left(await importing([avaFaces, avaTurns], { audioId: 'a-1' })).messages).to.deep.equal([
      'the audio a-1 exists already and is not linked to this video',
    ]);
    expect(calls().every((call) => call.startsWith('GET'))).to.equal(true);
  });

  it('reports a video that was erased in the meantime as erased', async () => {
    const at = '2026-01-01T12:00:00.000Z';
    const missing = {
      status: 410,
      body: { detail: { code: 'erased', message: `The record was erased at ${at}`, erased_at: at } },
    };
    let requests = 0;
    const answers = {
      get 'GET /v2/videos/v-1'(): Answer {
        requests += 1;
        return requests === 1 ? video('a-1') : missing;
      },
      'GET /v2/audios/a-1': audio(null),
    };
    await serve(answers);
    const { messages } = left(await importing([avaFaces, avaTurns], given));
    expect(messages.join()).to.match(/erased/);
  });

  it('sends nothing if any file is invalid', async () => {
    await serve(created);
    const failure = left(await importing([avaFaces, `${avaTurns}.none`]));
    expect(failure.kind).to.equal('failed');
    expect(failure.messages).to.deep.equal([`${avaTurns}.none: the file cannot be read: there is no such file`]);
    expect(left(await importing([avaTurns, avaTurns])).kind).to.equal('usage');
    expect(service?.received).to.deep.equal([]);
  });

  it('creates nothing with a key without permission, and names the permission', async () => {
    await serve({ ...created, 'GET /v1/me': ok({ admin: false, permissions: ['MEDIA_WRITE'] }) });
    expect(left(await importing([avaFaces, avaTurns])).messages[0]).to.match(/lacks the permission WORKER/);
    expect(service?.received).to.deep.equal([]);
    await service?.close();
    await serve({ ...created, 'GET /v1/me': { status: 401, body: { detail: 'Invalid API key' } } });
    expect(left(await importing([avaFaces, avaTurns])).messages).to.deep.equal(['GET /v1/me: 401 Invalid API key']);
    expect(service?.received).to.deep.equal([]);
    await service?.close();
    await serve({ ...created, 'GET /v1/me': ok({ admin: false, permissions: ['WORKER'] }) });
    right(await importing([avaFaces, avaTurns]));
  });

  it('creates nothing if the service would refuse it: invalid ids, lists that are too long', async () => {
    await serve(created);
    for (const id of ['.', '..', 'a b', 'x'.repeat(129)])
      expect(left(await importing([avaFaces], { videoId: id })).messages[0]).to.include(`the id ${id} `);
    const { speech } = await read(avaTurns);
    const [turn] = speech?.segments ?? [];
    if (speech === null || turn === undefined) throw new Error('turns were expected');
    const long = { ...speech, segments: Array.from({ length: 200_001 }, () => turn) };
    const content = { faces: null, speech: long, provider_supplied: false, joined: null };
    expect(left(await sendImport({ url: service?.url ?? '', key: 'k' }, content, {}))).to.equal(
      'the analysis would have 200001 segments; the service accepts at most 200000',
    );
    expect(service?.received).to.deep.equal([]);
  });

  it('reports the error of the service and the steps that succeeded', async () => {
    const detail = {
      code: 'malformed_body',
      message: 'the body is not valid',
      errors: [{ path: 'faces[3].tracks[0].end', message: 'before its start' }],
    };
    await serve({ ...created, 'PUT /v2/videos/v-1/analysis': { status: 422, body: { detail } } });
    expect(left(await importing([avaFaces, avaTurns]))).to.deep.equal({
      kind: 'failed',
      messages: [
        'PUT /v2/videos/v-1/analysis: 422 malformed_body: the body is not valid (faces[3].tracks[0].end: before its start)',
        'already done: video v-1 created',
        'already done: audio a-1 created',
      ],
    });
  });

  it('reports errors without a code, invalid answers, and a service that cannot be reached', async () => {
    await serve({
      'POST /v2/videos': { status: 401, body: { detail: 'unknown API key' } },
      'POST /v2/audios': ok('nonsense'),
    });
    expect(left(await importing([avaFaces])).messages[0]).to.equal('POST /v2/videos: 401 unknown API key');
    expect(left(await importing([avaTurns])).messages[0]).to.match(
      /POST \/v2\/audios: the answer is not a JSON object$/,
    );
    await service?.close();
    expect(left(await importing([avaTurns])).messages[0]).to.match(
      /^no answer from http:\S+ to GET \/v1\/me: .*ECONNREFUSED.*; start the service there, or say .* --url, MEDIA_ANALYSIS_URL or PORT$/,
    );
  });
});
