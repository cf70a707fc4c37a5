import { copyFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { bodyOf } from '../support/http-client.js';
import { expectCode } from '../support/e2e/refusal.js';
import { type TestApi, useTestApi } from '../support/e2e/test-api.js';
import { until } from '../support/event-store/stores.js';
import { type Media, getAudio, expectOk, getFace, getVideo } from '../support/e2e/media.js';
import { createMediaWithWords, wordsOf } from '../support/erasure/media-with-words.js';
import { getRun, triggerSuggest, matched, writeBack } from '../support/e2e/runs.js';
import { foundIn } from '../support/erasure/bytes.js';

const Receipt = t.type({
  status: t.literal('erased'),
  erased_at: t.string,
  receipt: t.type({ position: t.string, event_id: t.string }),
});
const Events = t.type({
  events: t.array(
    t.type({
      type: t.string,
      position: t.string,
      event_id: t.string,
      erased: t.union([t.boolean, t.undefined]),
      data: t.unknown,
    }),
  ),
});
const eventsOf = async ({ owner }: TestApi, path: string) => bodyOf(Events, await owner.get(`${path}/history`)).events;

describe('erasure', () => {
  const api = useTestApi();

  const refused = async (media: Media, path: string): Promise<void> => {
    for (const answer of [
      await api().owner.get(path),
      await api().owner.delete(path),
      await api().owner.patch(path, { title: 'again' }),
      await api().owner.get(`${path}?at=0`),
    ]) {
      expect(answer.status, `${path} of ${media.videoId}`).to.equal(410);
      expect(answer.body).to.have.nested.property('detail.code', 'erased');
    }
    expect((await api().stranger.get(path)).status).to.equal(401);
    expect((await api().anonymous.get(path)).status).to.equal(401);
  };

  it('of a video returns the receipt that is in the log, and leaves the audio without parent', async () => {
    const words = wordsOf('Zucker');
    const media = await createMediaWithWords(api(), words);
    const { receipt, erased_at } = bodyOf(Receipt, await expectOk(api().owner.delete(media.video)));
    const events = await eventsOf(api(), media.video);
    expect(events.at(-1)).to.deep.include({ type: 'MediumErased', ...receipt });
    expect(events.at(-1)?.data).to.include({ at: erased_at });
    expect(events.slice(0, -1).every(({ erased, data }) => erased === true && data === null)).to.equal(true);
    await refused(media, media.video);
    const audio = await getAudio(api(), media);
    expect(audio).to.include({ video_id: null, title: words.title });
    expect(audio.speakers.map(({ name }) => name)).to.deep.equal([words.person, 'Both Together', 'Alan Turing']);
    expect((await api().owner.post('/v2/videos', { video_id: media.videoId })).status).to.equal(410);
    expect((await api().owner.get('/v2/videos')).text).not.to.include(`"${media.videoId}"`);
  });

  it('of an audio removes its names from the faces, keeps those that people gave, and ends its runs', async () => {
    const words = wordsOf('Vogel');
    const media = await createMediaWithWords(api(), words);
    expect(await getFace(api(), media, 2)).to.include({ name: words.person, speaker_id: 1 });
    const run_id = await triggerSuggest(api(), media);
    await expectOk(api().owner.delete(media.audio));
    const video = await getVideo(api(), media);
    expect(video).to.deep.include({ audio_id: null, status: 'completed' });
    expect(video.faces.map(({ name, speaker_id }) => [name, speaker_id])).to.deep.equal([
      ['Grace Hopper', null],
      ['Face 2', null],
      ['Both Together', null],
    ]);
    await refused(media, media.audio);
    const shown = new Map((await eventsOf(api(), media.video)).map(({ type, erased }) => [type, erased === true]));
    expect([shown.get('FacesMatched'), shown.get('VideoRegistered')]).to.deep.equal([true, false]);
    expect(await getRun(api(), media, run_id)).to.include({ state: 'erased' });
    expect((await writeBack(api(), media, { run_id, matches: [matched(1, 1)] })).status).to.equal(410);
  });

  it('leaves no content in any file, and is not undone by keys restored from a backup', async () => {
    const { world } = api();
    const named = wordsOf('Mirabellen');
    const words = Object.values(named);
    const media = await createMediaWithWords(api(), named);
    const keys = join(world.dataDir, 'keys.db');
    const backup = join(world.dataDir, 'keys.backup');
    expect(await foundIn(world.dataDir, words)).not.to.deep.equal([]);
    await world.restart(() => copyFile(keys, backup));
    await expectOk(api().owner.delete(media.video));
    await expectOk(api().owner.delete(media.audio));
    // Read models are overwritten after the answer.
    await until('nothing is found', async () => (await foundIn(world.dataDir, words)).length === 0);
    await world.restart(async () => {
      await rename(backup, keys);
      for (const rest of ['', '-wal', '-shm']) await rm(join(world.dataDir, `read-models.db${rest}`), { force: true });
    });
    await refused(media, media.video);
    await refused(media, media.audio);
    const events = [...(await eventsOf(api(), media.video)), ...(await eventsOf(api(), media.audio))];
    const sealed = events.filter(({ type }) => type !== 'MediumErased');
    expect(sealed.length).to.be.greaterThan(2);
    expect(sealed.every(({ erased, data }) => erased === true && data === null)).to.equal(true);
    expect(await foundIn(world.dataDir, words)).to.deep.equal([]);
  });

  it('is 410 for a POST that names or links an erased id, whatever its idempotency key was used for', async () => {
    const { owner } = api();
    const key = { 'Idempotency-Key': 'erased' };
    const body = { audio_id: 'gone' };
    await expectOk(owner.post('/v2/audios', body, key));
    await expectOk(owner.delete('/v2/audios/gone'));
    for (const headers of [{}, key, { 'Idempotency-Key': 'another' }])
      for (const path of ['/v2/audios', '/v2/videos']) expectCode(await owner.post(path, body, headers), 410, 'erased');
    await expectOk(owner.post('/v2/videos', {}, { 'Idempotency-Key': 'another' }));
  });
});
