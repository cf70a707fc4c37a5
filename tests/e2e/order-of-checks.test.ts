import { expect } from 'chai';
import { bodiedEndpoints } from '../support/e2e/bodied-endpoints.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, createMedia } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';

const badCondition = { 'If-Match': 'none' };
const tooLarge = `{}${' '.repeat(10 * 1024 * 1024)}`;

/** Which error is reported for a request with several (contract, Conventions). */
describe('the order of checks', () => {
  const api = useTestApi();
  let media: Media;
  before(async () => {
    media = await createMedia(api());
  });

  it('checks the key first, then the resource, then the permission', async () => {
    const { owner, stranger, anonymous } = api();
    const unknown = media.match.replace(media.videoId, 'none');
    for (const body of ['{', '{}', tooLarge]) {
      expectText(await anonymous.raw('PUT', media.match, body, badCondition), 401);
      expectCode(await owner.raw('PUT', unknown, body, badCondition), 404, 'unknown_video');
      expectCode(await stranger.raw('PUT', media.match, body, badCondition), 401, 'not_authorised');
    }
    expectCode(await owner.raw('PUT', media.match, tooLarge, badCondition), 413, 'payload_too_large');
  });

  it('checks the body before If-Match, and that before it writes', async () => {
    await expectNothingWritten(api(), media, async () => {
      for (const { method, path, client, body } of bodiedEndpoints(api(), media)) {
        expectMalformed(await client.raw(method, path, '5', badCondition), '');
        const answer = await client.raw(method, path, JSON.stringify(body), badCondition);
        expectCode(answer, 400, 'bad_header');
        expect(answer.body).to.have.nested.property('detail.header', 'If-Match');
      }
    });
  });

  it('checks X-Min-Position of a read once its record is found', async () => {
    const { owner, stranger, anonymous } = api();
    const bad = { 'X-Min-Position': 'none' };
    for (const of of ['', '/history', '/tags', '/statuses', '/match-runs']) {
      expectText(await anonymous.get(`${media.video}${of}`, bad), 401);
      expectCode(await owner.get(`/v2/videos/none${of}`, bad), 404, 'unknown_video');
      expectCode(await stranger.get(`${media.video}${of}`, bad), 401, 'not_authorised');
      expectCode(await owner.get(`${media.video}${of}`, bad), 400, 'bad_header');
    }
  });
});
