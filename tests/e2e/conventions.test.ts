import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory, getLastEvent } from '../support/e2e/history.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import { triggerSuggest } from '../support/e2e/runs.js';
import { type HttpAnswer } from '../support/http-client.js';

const link = { mappings: [{ face_id: 1, speaker_id: 1 }] };

describe('the conventions', () => {
  const api = useTestApi();
  const requestIdOf = ({ headers }: HttpAnswer) => headers.get('X-Request-Id');

  describe('of request ids', () => {
    it('keep a valid one, on success and on refusal, and store it as correlation id of all resulting events', async () => {
      const media = await createMedia(api());
      const mappings = [{ face_id: 1, speaker_id: 1, name: 'Ada King' }];
      const answer = await expectOk(
        api().owner.put(media.match, { mappings }, { 'X-Request-Id': 'req:1/a+b=c.d_e@f' }),
      );
      expect(requestIdOf(answer)).to.equal('req:1/a+b=c.d_e@f');
      for (const path of [media.video, media.audio])
        expect(await getLastEvent(api().owner, path)).to.include({ request_id: 'req:1/a+b=c.d_e@f' });
      expect(requestIdOf(await api().anonymous.get('/v2/videos', { 'X-Request-Id': 'abc' }))).to.equal('abc');
    });

    it('replace any other', async () => {
      for (const insane of ['a b', 'x'.repeat(129), '<script>', '"', 'a,b', '{}']) {
        const id = requestIdOf(await api().owner.get('/v2/videos', { 'X-Request-Id': insane }));
        expect(id).to.match(/^[\w-]{36}$/);
      }
      const [one, other] = [await api().anonymous.get('/healthz'), await api().anonymous.get('/healthz')];
      expect(requestIdOf(one)).not.to.equal(requestIdOf(other));
    });
  });

  describe('of positions', () => {
    it('are returned by a write, but not by reads and repetitions', async () => {
      const media = await createMedia(api());
      const write = await expectOk(api().owner.put(media.match, link));
      const position = write.headers.get('X-Event-Position') ?? '';
      expect(position).to.equal((await getLastEvent(api().owner, media.video)).position);
      for (const { headers } of [await api().owner.put(media.match, link), await api().owner.get(media.video)])
        expect(headers.get('X-Event-Position')).to.equal(null);
    });

    it('let a read wait two seconds for a future position, then answer 503 with Retry-After', async () => {
      const media = await createMedia(api());
      const { position } = await getLastEvent(api().owner, media.video);
      const future = String(BigInt(position) + 1_000_000n).padStart(position.length, '0');
      const answer = await api().owner.get(media.video, { 'X-Min-Position': future });
      expectCode(answer, 503, 'read_model_behind');
      expect(Number(answer.headers.get('Retry-After'))).to.be.greaterThan(0);
    });

    it('are read with and without leading zeros', async () => {
      const media = await createMedia(api());
      const { headers } = await expectOk(api().owner.patch(media.audio, { title: 'One' }));
      const position = headers.get('X-Event-Position') ?? '';
      for (const given of [position, position.replace(/^0+/, ''), `00${position}`]) {
        await expectOk(api().owner.get(media.audio, { 'X-Min-Position': given }));
        const { body } = await expectOk(api().owner.post(`${media.audio}/history/${given}/revert`, { dry_run: true }));
        expect(body).to.include({ position });
      }
    });

    it('are refused at once if invalid, with the name of the header', async () => {
      const media = await createMedia(api());
      const { position } = await getLastEvent(api().owner, media.video);
      for (const other of ['', '-1', '1e9', '9'.repeat(30), `x${position.slice(1)}`]) {
        const answer = await api().owner.get('/v2/videos', { 'X-Min-Position': other });
        expectCode(answer, 400, 'bad_header');
        expect(answer.body).to.have.nested.property('detail.header', 'X-Min-Position');
      }
      await expectOk(api().owner.get('/v2/videos', { 'X-Min-Position': position.replaceAll(/\d/g, '0') }));
    });
  });

  describe('of revisions', () => {
    it('tag a record with its revision, and write on the condition of it', async () => {
      const media = await createMedia(api());
      const tag = (await api().owner.get(media.video)).headers.get('ETag') ?? '';
      expect(tag).to.equal(`"${(await getHistory(api().owner, media.video)).length - 1}"`);
      await expectOk(api().owner.put(media.match, link, { 'If-Match': tag }));
      const again = { mappings: [{ face_id: 2, speaker_id: 2 }] };
      const answer = await expectNothingWritten(api(), media, () =>
        api().owner.put(media.match, again, { 'If-Match': tag }),
      );
      expectCode(answer, 412, 'revision_changed');
      await expectOk(api().owner.put(media.match, again, { 'If-Match': '*' }));
    });

    it('are refused if they are not one ETag of the service', async () => {
      const { video } = await createMedia(api());
      for (const other of ['', '0', 'W/"0"', '"0", "1"']) {
        const answer = await api().owner.patch(video, {}, { 'If-Match': other });
        expectCode(answer, 400, 'bad_header');
        expect(answer.body).to.have.nested.property('detail.header', 'If-Match');
      }
    });
  });

  describe('of paths', () => {
    it('answer unknown ones with 404 and a text, with or without a key', async () => {
      for (const path of ['/v2', '/favicon.ico', '/v2/videos/x/faces/1'])
        for (const client of [api().owner, api().anonymous]) expectText(await client.get(path), 404);
      expectText(await api().owner.raw('PATCH', '/v9', '{}'), 404);
    });

    it('answer HEAD as GET without a body', async () => {
      const { video } = await createMedia(api());
      for (const path of [video, '/v2/videos']) {
        const { status, text, headers } = await api().admin.raw('HEAD', path, undefined);
        expect([status, text, headers.get('Content-Type')]).to.deep.equal([200, '', 'application/json; charset=utf-8']);
      }
    });

    it('answer known ones with another method with 405 and what is allowed', async () => {
      for (const [method, path, ...allowed] of [
        ['POST', '/v2/videos/x', 'GET', 'PATCH', 'DELETE'],
        ['POST', '/healthz', 'GET'],
      ] as const) {
        const answer = await api().owner.raw(method, path, undefined);
        expectCode(answer, 405, 'method_not_allowed');
        expect(answer.headers.get('Allow')?.split(', ')).to.have.members(allowed);
      }
    });
  });

  it('of JSON: all answers are JSON, and none reveals the framework', async () => {
    for (const path of ['/healthz', '/readyz', '/v2']) {
      const { headers } = await api().anonymous.get(path);
      expect(headers.get('Content-Type')).to.match(/^application\/json/);
      expect(headers.get('X-Powered-By')).to.equal(null);
    }
  });
});

describe('the requests of one account at work', () => {
  const api = useTestApi({ max_requests_per_account: 2 });
  let media: Media;
  before(async () => {
    media = await createMedia(api());
  });

  /** A request whose body does not end: it is at work until it is destroyed. */
  const unfinished = async (): Promise<ClientRequest> => {
    const open = request(`${api().world.url()}${media.match}`, {
      method: 'PUT',
      headers: { 'X-API-Key': api().world.adminKey, 'Content-Length': 1_000, Expect: '100-continue' },
    });
    open.on('error', () => undefined);
    open.flushHeaders();
    await once(open, 'continue');
    return open;
  };

  const free = async (): Promise<void> => {
    while ((await api().admin.get(media.video)).status === 429);
  };

  it('are limited: beyond it 429 with Retry-After; waiting ones and other accounts are counted apart', async () => {
    const run_id = await triggerSuggest(api(), media);
    const held = [await unfinished(), await unfinished()];
    const refused = await api().admin.get(media.video);
    expectCode(refused, 429, 'too_many_requests');
    expect(refused.body).to.have.deep.nested.property('detail.most', 2);
    expect(refused.body).to.have.deep.nested.property('detail.retryable', true);
    expect(refused.headers.get('Retry-After')).to.equal('1');
    expectCode(await api().admin.patch(media.video, { title: 'x' }), 429, 'too_many_requests');
    await expectOk(api().admin.get(`${media.runs}/${run_id}?wait=0`));
    await expectOk(api().owner.get(media.video));
    await expectOk(api().anonymous.get('/healthz'));
    held.forEach((open) => open.destroy());
    await free();
    await Promise.all([1, 2].map(() => expectOk(api().admin.get(media.video))));
  });
});
