import { expect } from 'chai';
import { bodiedEndpoints } from '../support/e2e/bodied-endpoints.js';
import { refusedLate } from '../support/e2e/refusals/table.js';
import { getAllEvents } from '../support/e2e/history.js';
import { type OperationId, operations } from '../../adapters/runtime/operations.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, createMedia } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';

/** Writes that the state of their record does not refuse, or that write to no record that exists. */
const notRefusedLater: ReadonlyArray<OperationId> = [
  'accounts.create',
  'accounts.update',
  'keys.create',
  'keys.revoke',
  'me.createKey',
  'me.revokeKey',
  'videos.create',
  'audios.create',
  'sessions.create',
  'retention.set',
  'credits.setWindow',
  'videos.update',
  'videos.erase',
  'audios.update',
  'audios.erase',
  'sessions.renewToken',
  'sessions.end',
];

const badCondition = { 'If-Match': 'none' };
const tooLarge = `{}${' '.repeat(2 * 1024 * 1024)}`;

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
    expectMalformed(await api().worker.put(media.writeBack, {}, { 'If-Match': '"987"' }), 'matches');
  });

  it('checks If-Match before everything that its state refuses, and then writes nothing, with a key neither', async () => {
    const refusals = await refusedLate(api());
    const before = await getAllEvents(api().admin);
    for (const { name, send } of refusals)
      for (const key of [{}, { 'Idempotency-Key': name.slice(0, 200) }]) {
        const answer = await send({ ...key, 'If-Match': '"987"' });
        expect(answer.status, `${name}: ${answer.text}`).to.equal(412);
        expectCode(answer, 412, 'revision_changed');
      }
    expect(await getAllEvents(api().admin)).to.deep.equal(before);
    const covered = refusals.map(({ operation }) => operation);
    const writes = Object.entries(operations).filter(([, place]) => !place.startsWith('GET '));
    expect(writes.map(([operation]) => operation)).to.have.members([...new Set([...covered, ...notRefusedLater])]);
  });

  it('checks the position or run in the path of a revert before the body', async () => {
    const { owner } = api();
    for (const body of ['{', '5', '{"dry_run":1}']) {
      for (const record of [media.video, media.audio])
        for (const position of ['0', '1', '0000000000099999', '99999', 'none'])
          expectCode(await owner.raw('POST', `${record}/history/${position}/revert`, body), 404, 'unknown_event');
      for (const run of ['none', '%20'])
        expectCode(await owner.raw('POST', `${media.runs}/${run}/revert`, body), 404, 'unknown_run');
    }
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
