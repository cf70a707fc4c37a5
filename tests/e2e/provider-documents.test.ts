import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { importFiles } from '../../adapters/import/import-files.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, mediaPaths, createMedia, getVideo } from '../support/e2e/media.js';
import { expectNothingWritten } from '../support/e2e/refusal.js';

const Made = t.type({ id: t.string, created: t.boolean });
const Sent = t.type({ video: Made, audio: Made });

const sample = (name: string): string =>
  fileURLToPath(new URL(`../../../tests/fixtures/providers/${name}`, import.meta.url));

const bytesOf = (name: string): Promise<Uint8Array> => readFile(sample(name));

describe('documents of providers', () => {
  const api = useTestApi();
  const put = async (path: string, name: string, query = 'auto') =>
    api().worker.raw('PUT', `${path}/analysis?format=${query}`, await bytesOf(name));

  it('are accepted as analyses of speech and of faces, with notes on how they were read', async () => {
    const media = await createMedia(api(), { videoStatus: null });
    const { body } = await expectOk(put(media.audio, 'amazon-call-analytics.json'));
    expect(body).to.deep.include({ status: 'completed' });
    expect(body).to.have.property('understood').that.includes({ format: 'amazon_call_analytics', words: 26 });
    expect((await getAudio(api(), media)).speakers.map(({ role }) => role)).to.deep.equal(['agent', 'customer']);
    await expectOk(put(media.video, 'azure-video-indexer.json', 'azure_video_indexer'));
    const { faces } = await getVideo(api(), media);
    expect(faces.map(({ id, name }) => `${id} ${name}`)).to.deep.equal(['1000 Ada Quill', '1001 Face 1001']);
  });

  it('take a frame rate, and name every invalid parameter', async () => {
    const media = await createMedia(api());
    await expectOk(put(media.video, 'azure-video-indexer.json', 'auto&fps=29.97'));
    for (const fps of ['-25', 'fast', ''])
      expect((await put(media.video, 'azure-video-indexer.json', `none&fps=${fps}`)).body, fps)
        .to.have.nested.property('detail.errors')
        .that.containSubset([{ path: 'format' }, { path: 'fps' }]);
  });

  it('are refused with the place of the error, and write nothing', async () => {
    const media = await createMedia(api());
    const text = (await readFile(sample('deepgram.json'), 'utf8')).replace('"start": 3.2,', '"start": -3.2,');
    const send = (body: string, kind: 'audio' | 'video' = 'audio') =>
      expectNothingWritten(api(), media, () => api().worker.raw('PUT', `${media[kind]}/analysis?format=auto`, body));
    const negative = await send(text);
    expect(negative.status).to.equal(422);
    expect(negative.body).to.have.nested.property('detail.code', 'malformed_body');
    expect(negative.body).to.have.nested.property(
      'detail.errors[0].path',
      'results.channels[0].alternatives[0].words[6].start',
    );
    const cue = await send('WEBVTT\n\n00:00:01.000 --> 00:00:0');
    expect(cue.body).to.have.nested.property('detail.errors[0].path', 'line 3');
    expect((await send(text, 'video')).status).to.equal(422);
    const long = await send(`WEBVTT\n\n00:00 --> ${'x'.repeat(200_000)}\n`);
    expect([long.status, long.text.length < 3_000]).to.deep.equal([422, true]);
  });

  it('are imported once, however often the same files are imported', async () => {
    const { url, adminKey } = api().world;
    const importAgain = async (): Promise<t.TypeOf<typeof Sent>> => {
      const files = [sample('azure-video-indexer.json')];
      const imported = await importFiles({ files, url: url(), key: adminKey, title: 'Budget' });
      if (E.isLeft(imported)) throw new Error(imported.left.messages.join('\n'));
      if (!Sent.is(imported.right.json)) throw new Error('the report names no video and audio');
      return imported.right.json;
    };
    const first = await importAgain();
    const media = mediaPaths(first.video.id, first.audio.id);
    const second = await expectNothingWritten(api(), media, importAgain);
    expect(first).to.deep.include({ video: { id: media.videoId, created: true } });
    expect(second).to.deep.include({ video: { id: media.videoId, created: false } });
    expect(second.audio).to.deep.equal({ id: media.audioId, created: false });
  });
});
