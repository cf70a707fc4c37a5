import { expect } from 'chai';
import * as t from 'io-ts';
import { getAllEvents } from '../support/e2e/history.js';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode, expectWrittenCode } from '../support/e2e/refusal.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpAnswer, bodyOf } from '../support/http-client.js';

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const replayed = ({ headers }: HttpAnswer) => headers.get('Idempotency-Replayed');
const positionOf = ({ headers }: HttpAnswer) => headers.get('X-Event-Position');

describe('the Idempotency-Key of writes', () => {
  const api = useTestApi();
  const log = () => getAllEvents(api().admin);
  const linkOf = (face_id: number) => ({ mappings: [{ face_id, speaker_id: 1, name: 'Bea' }] });
  type Send = (headers: Record<string, string>) => Promise<HttpAnswer>;

  /** Sends a request twice: the second answer equals the first, and writes nothing. */
  const twice = async (send: Send, key: string) => {
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
    const { video, audio, match, suggestions, writeBack } = await createMedia(api());
    const sends: ReadonlyArray<Send> = [
      (own) => owner.post('/v2/videos', { title: 'One' }, own),
      (own) => owner.post('/v2/audios', undefined, own),
      (own) => admin.post('/v1/accounts', { name: 'New' }, own),
      (own) => admin.post('/v1/accounts/owner/credits', { amount: 2, reason: 'x' }, own),
      (own) => owner.post(suggestions, {}, own),
      (own) => worker.put(writeBack, { matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.5 }] }, own),
      (own) => owner.post(`${video}/tags`, { tags: [{ key: 'label.a', value: 'b' }] }, own),
      (own) => owner.delete(`${video}/tags/label.a`, own),
      (own) => owner.delete(`${audio}/speakers/3`, own),
    ];
    for (const [index, send] of sends.entries()) await twice(send, `kind ${index}`);
    const put = await twice((own) => owner.put(match, linkOf(1), own), 'put');
    await twice((own) => owner.post(`${video}/history/${positionOf(put)}/revert`, {}, own), 'revert');
    const analysis = { status: 'completed', faces: [{ id: 7, tracks: [] }] };
    await twice((own) => worker.put(`${video}/analysis`, analysis, own), 'analysis');
  });

  it('lets 20 simultaneous requests wait for one', async () => {
    const Balance = t.type({ balance: t.number });
    const balance = async () => bodyOf(Balance, await api().owner.get('/v1/accounts/owner/credits')).balance;
    const before = await balance();
    const book = () =>
      expectOk(api().admin.post('/v1/accounts/owner/credits', { amount: 3, reason: 'x' }, keyed('crowd')));
    const answers = await Promise.all(Array.from({ length: 20 }, book));
    expect(new Set(answers.map(({ text }) => text)).size).to.equal(1);
    expect(answers.filter((answer) => replayed(answer) === null)).to.have.length(1);
    expect(await balance()).to.equal(before + 3);
  });

  it('is refused with another method, path, query or body, and belongs to an account', async () => {
    const { owner, stranger } = api();
    const { video } = await createMedia(api());
    const body = { title: 'mine' };
    const first = await expectOk(owner.post('/v2/videos', body, keyed('taken')));
    for (const answer of [
      await owner.post('/v2/videos', { title: 'other' }, keyed('taken')),
      await owner.post('/v2/videos?x=1', body, keyed('taken')),
      await owner.post('/v2/audios', body, keyed('taken')),
      await owner.patch(video, body, keyed('taken')),
    ])
      expectCode(answer, 422, 'idempotency_key_reused');
    expect((await expectOk(stranger.post('/v2/videos', body, keyed('taken')))).text).not.to.equal(first.text);
  });

  it('is checked after access and the body, before If-Match, and is not used up by refusals or dry runs', async () => {
    const { owner, stranger, anonymous } = api();
    const { video, match } = await createMedia(api());
    const early = { 'If-Match': '"99"', ...keyed('later') };
    expectCode(await owner.patch(video, { title: 'x' }, early), 412, 'revision_changed');
    await expectOk(owner.patch(video, { title: 'x' }, keyed('later')));
    expect(replayed(await expectOk(owner.patch(video, { title: 'x' }, early)))).to.equal('true');
    for (const client of [stranger, anonymous])
      expect((await client.patch(video, { title: 'x' }, keyed('later'))).status).to.equal(401);
    expectWrittenCode(await owner.put(match, linkOf(99), keyed('fixed')), 404, 'InvalidFace');
    const put = await expectOk(owner.put(match, linkOf(1), keyed('fixed')));
    const revert = (body: object) => owner.post(`${video}/history/${positionOf(put)}/revert`, body, keyed('dry'));
    for (const body of [{ dry_run: true }, {}]) expect(replayed(await expectOk(revert(body)))).to.equal(null);
    const long = keyed('k'.repeat(256));
    expectCode(await owner.post('/v2/videos', {}, long), 400, 'bad_header');
    expectCode(await owner.post('/v2/videos', { title: 5 }, long), 422, 'malformed_body');
    await expectOk(owner.post('/v2/videos', {}, keyed('k'.repeat(255))));
    await expectOk(owner.get('/v2/videos?limit=1', long));
  });

  it('creates no secret twice: 409 with the id of what was created', async () => {
    const { owner, admin } = api();
    await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 10, reason: 'x' }));
    for (const [path, id] of [
      ['/v1/me/keys', 'key_id'],
      ['/v2/realtime/session', 'session_id'],
    ] as const) {
      const first = bodyOf(t.UnknownRecord, await owner.post(path, {}, keyed(path)));
      const before = await log();
      const again = await owner.post(path, {}, keyed(path));
      expectCode(again, 409, 'secret_not_repeatable');
      expect(again.body).to.have.nested.property('detail.id', first[id]);
      expect(await log()).to.deep.equal(before);
      expect(JSON.stringify(before)).not.to.include('mak_');
    }
  });

  it('stores an answer that is longer than an event may be, but no very long one: then the current record is returned', async () => {
    const { owner, worker } = api();
    const { video } = await createMedia(api());
    const analyse = (length: number, name: string) =>
      worker.put(`${video}/analysis`, {
        status: 'completed',
        faces: Array.from({ length }, (_, id) => ({ id, name, tracks: [] })),
      });
    await expectOk(analyse(1_200, 'ä"'.repeat(40)));
    const { text } = await twice((own) => owner.patch(video, { title: 'long' }, own), 'longer');
    expect(text.length).to.be.within(200_000, 300_000);

    await expectOk(analyse(1_500, 'n'.repeat(190)));
    const headers = { ...keyed('long'), 'If-Match': (await owner.get(video)).headers.get('ETag') ?? '' };
    const { length } = await log();
    const first = await expectOk(owner.patch(video, { title: 'Once' }, headers));
    await expectOk(owner.patch(video, { title: 'Twice' }));
    const again = await expectOk(owner.patch(video, { title: 'Once' }, headers));
    expect(positionOf(again)).to.equal(positionOf(first));
    expect(again.text).to.include('"title":"Twice"');
    expectCode(await owner.patch(video, { title: 'Other' }, keyed('long')), 422, 'idempotency_key_reused');
    expect(JSON.stringify((await log()).slice(length)).length).to.be.lessThan(20_000);
  });
});
