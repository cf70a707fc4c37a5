import { expect } from 'chai';
import * as t from 'io-ts';
import { bodiedEndpoints } from '../support/e2e/endpoints.js';
import { refusedLate } from '../support/e2e/refusals/table.js';
import { getAllEvents } from '../support/e2e/history.js';
import { type OperationId, operations } from '../../adapters/runtime/operations.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import { bodyOf } from '../support/http-client.js';
import { matched, runSuggest } from '../support/e2e/runs.js';

const Session = t.type({ session_id: t.string });

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
    const { admin, owner } = api();
    await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 10, reason: 'for a session' }));
    const { session_id } = bodyOf(Session, await owner.post('/v2/realtime/session'));
    const mappings = [{ face_id: 1, speaker_id: 1, name: 'Eve' }];
    const { headers } = await expectOk(owner.put(media.match, { mappings }));
    const endpoints = bodiedEndpoints({
      video_id: media.videoId,
      audio_id: media.audioId,
      account_id: 'owner',
      face_id: '1',
      key: 'label.any',
      position: headers.get('X-Event-Position') ?? '',
      run_id: await runSuggest(api(), media, matched(1, 1)),
      session_id,
    });
    await expectNothingWritten(api(), media, async () => {
      for (const { operation, method, path, body } of endpoints) {
        expectMalformed(await admin.raw(method, path, '5', badCondition), '');
        const answer = await admin.raw(method, path, JSON.stringify(body), badCondition);
        expectCode(answer, 400, 'bad_header');
        expect(answer.body, operation).to.have.nested.property('detail.header', 'If-Match');
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

  it('checks the run and the transcript of a read before the query', async () => {
    const { owner } = api();
    expectCode(await owner.get(`${media.runs}/%20?wait=x`), 404, 'unknown_run');
    expectCode(await owner.get(`${media.audio}/transcript?limit=x`), 404, 'transcript_not_found');
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
