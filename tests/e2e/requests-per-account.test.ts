import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { expect } from 'chai';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { triggerSuggest } from '../support/e2e/runs.js';
import { useTestApi } from '../support/e2e/test-api.js';

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
