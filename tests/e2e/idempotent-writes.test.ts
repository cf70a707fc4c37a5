import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAllEvents } from '../support/e2e/history.js';
import { expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const replayed = ({ headers }: HttpAnswer) => headers.get('Idempotency-Replayed');
const balance = t.type({ balance: t.number });

describe('the Idempotency-Key of writes', () => {
  const api = useTestApi();
  const log = () => getAllEvents(api().admin);

  /** Sends a request twice: the second answer equals the first, and writes nothing. */
  const twice = async (send: (headers: Record<string, string>) => Promise<HttpAnswer>, key: string) => {
    const first = await expectOk(send(keyed(key)));
    const before = await log();
    const again = await expectOk(send(keyed(key)));
    expect(await log()).to.deep.equal(before);
    expect(again.text).to.equal(first.text);
    expect([replayed(first), replayed(again)]).to.deep.equal([null, 'true']);
    for (const header of ['ETag', 'X-Event-Position'])
      expect(again.headers.get(header), header).to.equal(first.headers.get(header));
    return first;
  };

  it('returns the stored answer for every kind of write, and writes nothing again', async () => {
    const { owner, admin, worker } = api();
    await twice((headers) => owner.post('/v2/videos', { title: 'One' }, headers), 'video');
    await twice((headers) => owner.post('/v2/audios', undefined, headers), 'audio');
    await twice((headers) => admin.post('/v1/accounts', { name: 'New' }, headers), 'account');
    await twice((headers) => admin.post('/v1/accounts/owner/credits', { amount: 2, reason: 'x' }, headers), 'grant');
    const media = await createMedia(api());
    await twice((headers) => owner.patch(media.video, { title: 'x' }, headers), 'patch');
    await twice((headers) => owner.post(media.suggestions, {}, headers), 'trigger');
    const matches = { matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.5 }] };
    await twice((headers) => worker.put(media.writeBack, matches, headers), 'write-back');
    const mappings = { mappings: [{ face_id: 1, speaker_id: 1, name: 'Bea' }] };
    const { headers } = await twice((own) => owner.put(media.match, mappings, own), 'put');
    const position = headers.get('X-Event-Position');
    await twice((own) => owner.post(`${media.video}/history/${position}/revert`, {}, own), 'revert');
    const tags = { tags: [{ key: 'label.a', value: 'b' }] };
    await twice((own) => owner.post(`${media.video}/tags`, tags, own), 'tags');
    await twice((own) => owner.delete(`${media.video}/tags/label.a`, own), 'untag');
    await twice((own) => owner.delete(`${media.audio}/speakers/3`, own), 'delete');
    const analysis = { status: 'completed', faces: [{ id: 7, tracks: [] }] };
    await twice((own) => worker.put(`${media.video}/analysis`, analysis, own), 'analysis');
  });

  it('stores no long answer: the repetition writes nothing, and returns the current record', async () => {
    const { owner, worker } = api();
    const media = await createMedia(api());
    const faces = Array.from({ length: 1_500 }, (_, id) => ({ id, name: `${'n'.repeat(190)} ${id}`, tracks: [] }));
    await expectOk(worker.put(`${media.video}/analysis`, { status: 'completed', faces }));
    const revision = (await expectOk(owner.get(media.video))).headers.get('ETag') ?? '';
    const headers = { ...keyed('long'), 'If-Match': revision };
    const { length } = await log();
    const first = await expectOk(owner.patch(media.video, { title: 'Once' }, headers));
    await expectOk(owner.patch(media.video, { title: 'Twice' }));
    const again = await expectOk(owner.patch(media.video, { title: 'Once' }, headers));
    expect(again.headers.get('X-Event-Position')).to.equal(first.headers.get('X-Event-Position'));
    expect(again.text).to.include('"title":"Twice"');
    expectCode(await owner.patch(media.video, { title: 'Other' }, keyed('long')), 422, 'idempotency_key_reused');
    const since = (await log()).slice(length);
    expect(JSON.stringify(since).length).to.be.lessThan(20_000);
    expect(since.filter(({ type }) => type === 'VideoDetailsChanged')).to.have.length(2);
  });

  it('lets 20 simultaneous requests wait for one', async () => {
    const before = bodyOf(balance, await api().owner.get('/v1/accounts/owner/credits')).balance;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        expectOk(api().admin.post('/v1/accounts/owner/credits', { amount: 3, reason: 'x' }, keyed('crowd'))),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expect(answers.filter((answer) => replayed(answer) === null)).to.have.length(1);
    expect(bodyOf(balance, await api().owner.get('/v1/accounts/owner/credits')).balance).to.equal(before + 3);
  });

  it('is refused with another method, path, query or body, and belongs to an account', async () => {
    const { owner, stranger } = api();
    const media = await createMedia(api());
    const first = await expectOk(owner.post('/v2/videos', { title: 'mine' }, keyed('taken')));
    for (const answer of [
      await owner.post('/v2/videos', { title: 'other' }, keyed('taken')),
      await owner.post('/v2/videos?x=1', { title: 'mine' }, keyed('taken')),
      await owner.post('/v2/audios', { title: 'mine' }, keyed('taken')),
      await owner.patch(media.video, { title: 'mine' }, keyed('taken')),
    ])
      expectCode(answer, 422, 'idempotency_key_reused');
    const other = await expectOk(stranger.post('/v2/videos', { title: 'mine' }, keyed('taken')));
    expect(other.text).not.to.equal(first.text);
  });

  it('does not store refusals, and is checked after access, before the body and If-Match', async () => {
    const { owner, stranger, anonymous } = api();
    const media = await createMedia(api());
    const early = { 'If-Match': '"99"', ...keyed('later') };
    expectCode(await owner.patch(media.video, { title: 'x' }, early), 412, 'revision_changed');
    await expectOk(owner.patch(media.video, { title: 'x' }, keyed('later')));
    const again = await expectOk(owner.patch(media.video, { title: 'x' }, early));
    expect(replayed(again)).to.equal('true');
    expect((await stranger.patch(media.video, { title: 'x' }, keyed('later'))).status).to.equal(401);
    expect((await anonymous.patch(media.video, { title: 'x' }, keyed('later'))).status).to.equal(401);
    const wrong = await owner.put(media.match, { mappings: [{ face_id: 99, speaker_id: 1 }] }, keyed('fixed'));
    expect(wrong.status).to.equal(404);
    await expectOk(owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }, keyed('fixed')));
  });

  it('is ignored by a dry run, and is 400 when it is empty or longer than 255 characters', async () => {
    const { owner } = api();
    const media = await createMedia(api());
    const { headers } = await expectOk(owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1 }] }));
    const path = `${media.video}/history/${headers.get('X-Event-Position')}/revert`;
    const dry = await expectOk(owner.post(path, { dry_run: true }, keyed('dry')));
    expect(replayed(await expectOk(owner.post(path, { dry_run: true }, keyed('dry'))))).to.equal(null);
    const real = await expectOk(owner.post(path, {}, keyed('dry')));
    expect(real.text).to.equal(dry.text);
    expectCode(await owner.post('/v2/videos', {}, keyed('k'.repeat(256))), 400, 'bad_header');
    expectCode(await owner.post('/v2/videos', { title: 5 }, keyed('k'.repeat(256))), 422, 'malformed_body');
    await expectOk(owner.post('/v2/videos', {}, keyed('k'.repeat(255))));
    expect((await owner.get('/v2/videos?limit=1', keyed('k'.repeat(256)))).status).to.equal(200);
  });

  it('creates no secret twice: 409 with the id of what was created', async () => {
    const { owner, admin } = api();
    const Key = t.type({ key_id: t.string });
    for (const [send, key] of [
      [(own: Record<string, string>) => admin.post('/v1/accounts/owner/keys', { label: 'x' }, own), 'issue'],
      [(own: Record<string, string>) => owner.post('/v1/me/keys', {}, own), 'make'],
    ] as const) {
      const { key_id } = bodyOf(Key, await send(keyed(key)));
      const before = await log();
      const again = await send(keyed(key));
      expectCode(again, 409, 'secret_not_repeatable');
      expect(again.body).to.have.nested.property('detail.id', key_id);
      expect(await log()).to.deep.equal(before);
      expect(JSON.stringify(before)).not.to.include('mak_');
    }
  });

  it('stores an answer that is longer than an event may be', async () => {
    const { owner, worker } = api();
    const media = await createMedia(api());
    const faces = Array.from({ length: 1_200 }, (_, id) => ({ id, name: 'ä"'.repeat(40), tracks: [] }));
    await expectOk(worker.put(`${media.video}/analysis`, { status: 'completed', faces }));
    const { text } = await twice((own) => owner.patch(media.video, { title: 'long' }, own), 'longer');
    expect(text.length).to.be.within(200_000, 300_000);
  });
});

describe('the Idempotency-Key of realtime sessions', () => {
  const api = useTestApi();

  it('ends a session once, and returns no token again', async () => {
    const { owner, admin } = api();
    await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 10, reason: 'x' }));
    const created = bodyOf(
      t.type({ session_id: t.string, token: t.string }),
      await owner.post('/v2/realtime/session', {}, keyed('create')),
    );
    const again = await owner.post('/v2/realtime/session', {}, keyed('create'));
    expectCode(again, 409, 'secret_not_repeatable');
    expect(again.body).to.have.nested.property('detail.id', created.session_id);
    const path = `/v2/realtime/session/${created.session_id}`;
    await expectOk(owner.post(`${path}/token`, undefined, keyed('token')));
    expectCode(await owner.post(`${path}/token`, undefined, keyed('token')), 409, 'secret_not_repeatable');
    const end = await expectOk(owner.post(`${path}/end`, undefined, keyed('end')));
    const repeated = await expectOk(owner.post(`${path}/end`, undefined, keyed('end')));
    expect([repeated.text, replayed(repeated)]).to.deep.equal([end.text, 'true']);
    expect((await owner.post(`${path}/end`, undefined, keyed('other'))).status).to.equal(404);
  });
});
