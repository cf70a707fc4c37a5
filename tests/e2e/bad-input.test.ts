import { expect } from 'chai';
import * as fc from 'fast-check';
import { bodiedEndpoints } from '../support/e2e/bodied-endpoints.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { getHistory } from '../support/e2e/history.js';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { bodyLike } from '../support/e2e/odd-json.js';
import { expectClientFault } from '../support/e2e/raw-http.js';
import type { HttpAnswer } from '../support/http-client.js';
import { shortOrLong } from '../support/long-form.js';

/** Checks that a request was refused clearly and without effect, or was carried out. */
const expectSound = (sent: string, answer: HttpAnswer): void => {
  const about = `${sent.slice(0, 200)} → ${answer.text.slice(0, 500)}`;
  expect(answer.status, about).to.be.below(500);
  if (answer.status === 200) return;
  expectClientFault(answer);
  expect(answer.headers.get('X-Event-Position'), about).to.equal(null);
};

describe('bad input', function () {
  this.timeout(60_000);
  const api = useTestApi();

  afterEach('the service is still well', async () => {
    expect((await api().anonymous.get('/readyz')).status).to.equal(200);
  });

  it('made by random changes of valid bodies is refused clearly or accepted; a refused one leaves no event', async () => {
    const media = await createMedia(api());
    const endpoints = bodiedEndpoints(api(), media);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...endpoints), bodyLike, async ({ method, path, client }, body) => {
        const sent = JSON.stringify(body) ?? 'null';
        const before = (await getHistory(api().admin, media.video)).length;
        const answer = await client.raw(method, path, sent);
        expectSound(`${method} ${path} ${sent}`, answer);
        if (answer.status !== 200) expect(await getHistory(api().admin, media.video)).to.have.length(before);
      }),
      { numRuns: shortOrLong(50, 250) },
    );
  });

  it('with unusual keys pollutes no prototype', async () => {
    const media = await createMedia(api());
    const polluted = '{"personality_traits":{"__proto__":{"admin":true},"constructor":1},"__proto__":{"admin":true}}';
    const path = `${media.video}/faces/1/personality-traits`;
    expect((await api().worker.raw('PUT', path, polluted)).status).to.equal(200);
    expect((await api().owner.get(media.video)).text).to.include('{"__proto__":{"admin":true},"constructor":1}');
    expect({}).not.to.have.property('admin');
    expect((await api().owner.get('/v1/accounts/owner/keys')).status).to.equal(401);
  });

  it('in Unicode is returned unchanged', async () => {
    const media = await createMedia(api());
    for (const name of ['Zoë', '山田 太郎', '👩‍🔬', '\u0000', 'a\u202eb', '<b>"\\\u2028', 'x'.repeat(200)])
      expect((await expectOk(api().owner.patch(media.video, { title: name }))).body).to.include({ title: name });
  });
});
