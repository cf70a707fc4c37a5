import { expect } from 'chai';
import { type Arrived, type LocalServer, startLocalServer } from '../../support/local-server.js';
import { importFiles } from '../../../adapters/import/import-files.js';
import type { Imported } from '../../../adapters/import/format.js';
import { readImportFile } from '../../../adapters/import/read-document.js';
import { sendImport } from '../../../adapters/import/send-import.js';
import { avaFaces, avaTurns, left, right, aswFaces, clip } from './support.js';
import { runCommand } from '../../support/e2e/command.js';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const mayAll: Answer = { status: 200, body: { admin: true, permissions: [] } };

/**
 * A stand-in for the service: answers by `METHOD path`, everything else with 404, and records the requests. `GET /v1/me`
 * returns all permissions unless others are given, and is not recorded.
 */
interface StandIn extends LocalServer {
  readonly received: ReadonlyArray<Pick<Arrived, 'method'> & { readonly path: string; key: unknown; body: unknown }>;
}

const standIn = async (answers: Readonly<Record<string, Answer>>): Promise<StandIn> => {
  const received: Array<StandIn['received'][number]> = [];
  const server = await startLocalServer(({ method, url: path, headers, body }, response) => {
    const sent: unknown = body === '' ? null : JSON.parse(body);
    if (path !== '/v1/me') received.push({ method, path, key: headers['x-api-key'], body: sent });
    const usual = path === '/v1/me' ? mayAll : { status: 404, body: { detail: 'not found' } };
    const answer = answers[`${method} ${path}`] ?? usual;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  return { ...server, received };
};

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

  it('reports a video that was erased as erased', async () => {
    const missing = { status: 410, body: { detail: { code: 'erased', message: 'The record was erased' } } };
    await serve({ 'GET /v2/videos/v-1': missing, 'GET /v2/audios/a-1': audio(null) });
    const { messages } = left(await importing([avaFaces, avaTurns], given));
    expect(messages.join()).to.match(/erased/);
  });

  it('sends nothing if any file is invalid', async () => {
    await serve(created);
    const failure = left(await importing([avaFaces, `${avaTurns}.none`]));
    expect(failure.kind).to.equal('failed');
    expect(failure.messages).to.deep.equal([`${avaTurns}.none: the file cannot be read: there is no such file`]);
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

  it('creates nothing if the service would refuse it: a list that is too long', async () => {
    await serve(created);
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

const run = async (args: string[], env: Record<string, string> = {}) => {
  const { code, out, err } = await runCommand(['import', ...args], env);
  return { code, out: out.trimEnd(), err: err.trimEnd() };
};

describe('import command', () => {
  it('prints what it read and what it sent', async () => {
    const service = await standIn({
      'POST /v2/videos': { status: 200, body: { video_id: 'v-1', audio_id: null } },
      'POST /v2/audios': { status: 200, body: { audio_id: 'a-1', video_id: 'v-1' } },
      'PUT /v2/videos/v-1/analysis': { status: 200, body: { status: 'completed' } },
      'PUT /v2/audios/a-1/analysis': { status: 200, body: { status: 'completed' } },
    });
    const env = { MEDIA_ANALYSIS_URL: service.url, MEDIA_ANALYSIS_API_KEY: '', ADMIN_API_KEY: 'admin' };
    const { code, out, err } = await run([avaFaces, avaTurns], env);
    await service.close();
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out.split('\n')).to.deep.equal([
      `${avaFaces}: ava_csv of -FaXLcSFjUI, 2,750 rows`,
      '  7 faces, 24 visible intervals, 91.9 s visible, 40.2 s talking',
      '  noted: 24 × face track in the file; tracks of one speaker become one face',
      `${avaTurns}: rttm of -FaXLcSFjUI_c_01, 56 rows`,
      '  3 speakers, 56 turns, 54.6 s of speech',
      '  speakers: spk00 = 0, spk01 = 1, spk02 = 2',
      'video v-1 created',
      'audio a-1 created',
      'analysis of video v-1 completed',
      'analysis of audio a-1 completed',
      `${'file'.padEnd(avaTurns.length)}  format   speakers  named  turns  words  faces  notes`,
      `${avaFaces.padEnd(avaTurns.length)}  ava_csv  0         0      0      0      7      24`,
      `${avaTurns}  rttm     3         0      56     0      0      0`,
    ]);
    const written = service.received.filter(({ method }) => method !== 'GET');
    expect(written.map(({ key }) => key)).to.deep.equal(['admin', 'admin', 'admin', 'admin']);
    const [, sentAudio, faces, speech] = written.map(({ body }) => body);
    expect(sentAudio).to.include({ video_id: 'v-1' });
    const [{ faces: readFaces }, { speech: readSpeech }] = [await read(avaFaces), await read(avaTurns)];
    expect(faces).to.deep.equal({ status: 'completed', faces: readFaces?.faces });
    const speakers = [{ speaker_id: 0 }, { speaker_id: 1 }, { speaker_id: 2 }];
    expect(speech).to.deep.equal({ status: 'completed', speakers, segments: readSpeech?.segments });
  });

  it('prints JSON, and sends nothing in a dry run', async () => {
    const { code, out } = await run([avaTurns, aswFaces, '--json', '--dry-run']);
    expect(code).to.equal(0);
    const parsed: unknown = JSON.parse(out);
    expect(parsed).to.have.nested.property('files[0].segments', 56);
    expect(parsed).to.have.nested.property('files[1].faces', 3);
    expect(parsed).to.have.property('video', null);
    const own = await run(['tests/fixtures/imports/11-position-tags.srt', '--json', '--dry-run', '--own-analysis']);
    expect(JSON.parse(own.out)).to.have.property('provider_supplied', false);
  });

  it('exits with 1 and prints the file and line of an error', async () => {
    const notice = clip('ava-avd/NOTICE');
    const { code, err } = await run([notice, '--key', 'k']);
    expect(code).to.equal(1);
    expect(err).to.equal(
      `error: ${notice}: the format is not recognised; if it is a supported one, name it (--format on the command line, format in a query)`,
    );
    const forced = await run([avaFaces, '--key', 'k', '--format', 'rttm']);
    expect(forced.code).to.equal(1);
    expect(forced.err.startsWith(`error: ${avaFaces}:1: unknown RTTM row type `)).to.equal(true);
  });

  it('imports the files that it knows, and exits with 1 if there are others', async () => {
    const notice = clip('ava-avd/NOTICE');
    const { code, out, err } = await run([notice, avaTurns, '--dry-run']);
    expect({ code, err }).to.deep.equal({ code: 1, err: '' });
    expect(out).to.include(`${notice}: the format is not recognised`);
    expect(out.split('\n').at(-1)).to.match(/NOTICE +not recognised$/);
  });

  it('reads each file in the format given for its part', async () => {
    const parts = ['--faces', avaFaces, '--diarisation', avaTurns, '--dry-run'];
    const right = await run([...parts, '--faces-format', 'ava_csv', '--diarisation-format', 'rttm']);
    expect({ code: right.code, err: right.err }).to.deep.equal({ code: 0, err: '' });
    const wrong = await run([...parts, '--diarisation-format', 'ava_csv']);
    expect(wrong.code).to.equal(1);
    expect(wrong.err.startsWith(`error: ${avaTurns}:1: `)).to.equal(true);
  });

  it('exits with 2 on a usage error', async () => {
    const wrong: ReadonlyArray<readonly [string[], RegExp]> = [
      [[], /^error: no API key/],
      [['--key', 'k'], /^error: no file to import$/],
      [[avaTurns, '--dry-run', '--video-id', 'a b'], /argument 'a b' is invalid\. It must have 1 to 128 characters/],
      [[avaTurns, '--key', 'k', '--format', 'mp4'], /^error: the format mp4 is not one of rttm, ava_csv, asw_json, /],
      [
        [avaTurns, avaFaces, '--key', 'k', '--format', 'rttm'],
        /^error: --format is for one file; with several, --faces-format, /,
      ],
      [[avaTurns, '--key', 'k', '--faces-format', 'ava_csv'], /^error: --faces-format needs --faces: /],
    ];
    const results = await Promise.all(wrong.map(([args]) => run(args)));
    results.forEach(({ code, err }, index) => {
      expect(code).to.equal(2);
      expect(err).to.match(wrong[index]?.[1] ?? /nothing/);
    });
  });
});
