import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Cast, openCast } from '../support/e2e/cast.js';
import { everythingOf } from '../support/e2e/history.js';
import { done, mediaOf } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { commit, matched, suggest, suggested, writeBack } from '../support/e2e/runs.js';

describe('a restart', () => {
  let cast: Cast;
  beforeEach(async () => {
    cast = await openCast();
  });
  afterEach(() => cast.world.end());

  const lived = async () => {
    const media = await mediaOf(cast);
    await suggested(cast, media, matched(1, 1));
    await done(cast.owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2, name: 'Alan' }] }));
    const run_id = await commit(cast, media);
    await done(writeBack(cast, media, { matches: [matched(3, 3)] }));
    await done(writeBack(cast, media, { run_id, matches: [matched(3, 1)] }));
    await done(writeBack(cast, media, { run_id, matches: [] }));
    return media;
  };

  const answersOf = async (media: Awaited<ReturnType<typeof lived>>) => [
    await everythingOf(cast, media),
    (await done(cast.owner.get(media.statuses))).body,
    (await done(cast.owner.get(media.suggestions))).body,
    (await done(cast.owner.get('/v2/videos'))).body,
    (await done(cast.admin.get('/v2/audios'))).body,
    (await done(cast.admin.get('/v1/accounts/owner/keys'))).body,
  ];

  it('keeps accounts, keys and everything that was answered', async () => {
    const media = await lived();
    const before = await answersOf(media);
    await cast.world.restart();
    expect(await answersOf(media)).to.deep.equal(before);
    expectCode(await cast.stranger.get(media.video), 401, 'not_authorised');
    expectCode(await cast.admin.post('/v1/accounts', { account_id: 'owner' }), 409, 'account_exists');
  });

  it('makes the read models anew when their file is gone, with the same answers', async () => {
    const media = await lived();
    const before = await answersOf(media);
    await cast.world.restart(async () => {
      for (const suffix of ['', '-wal', '-shm'])
        await rm(join(cast.world.dataDir, `read-models.db${suffix}`), { force: true });
    });
    expect(await answersOf(media)).to.deep.equal(before);
  });

  it('lets a run in flight be answered, and revoked keys stay revoked', async () => {
    const media = await mediaOf(cast);
    const run_id = await suggest(cast, media);
    await cast.world.restart();
    expectCode(await cast.owner.post(media.suggestions, {}), 409, 'match_run_in_flight');
    const { body } = await writeBack(cast, media, { run_id, matches: [matched(1, 1)] });
    expect(body).to.deep.equal({ status: 'stored', run_id });
    const { body: keys } = await done(cast.admin.get('/v1/accounts/owner/keys'));
    const key_id = /"key_id":"([^"]+)"/.exec(JSON.stringify(keys))?.[1];
    await done(cast.admin.delete(`/v1/accounts/owner/keys/${key_id}`));
    await cast.world.restart();
    expectText(await cast.owner.get(media.video), 401);
  });

  it('knows its keys with the first request that it accepts', async () => {
    await lived();
    await cast.world.restart();
    const answers = await Promise.all(Array.from({ length: 20 }, () => cast.owner.get('/v2/videos')));
    answers.forEach(({ status }) => expect(status).to.equal(200));
  });
});
