import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { systemClock } from '../../adapters/runtime/clock.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import { expectOk } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { foundIn } from '../support/erasure/bytes.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';
import {
  type NewSession,
  type Stage,
  connect,
  endedOf,
  newSession,
  openStage,
  pathOf,
  sessionOf,
  sessionPath,
} from '../support/realtime/stage.js';

const Erased = t.type({ status: t.literal('erased'), erased_at: t.string });

const day = 86_400;

describe('the erasure of a realtime session', function () {
  this.timeout(60_000);
  let stage: Stage;
  let passed = 0;
  before(async () => {
    stage = await openStage({}, {}, { now: () => secondsAfter(systemClock.now(), passed * day) });
  });
  after(() => stage.world.end());

  const noted = async (client: HttpClient, word: string): Promise<NewSession> =>
    sessionOf(await client.post(sessionPath, { metadata: { about: word } }, { 'Idempotency-Key': word }));
  const end = async (client: HttpClient, session: NewSession): Promise<void> =>
    void endedOf(await client.post(pathOf(session, '/end')));
  const endedSession = async (client: HttpClient, word: string): Promise<NewSession> => {
    const session = await noted(client, word);
    await end(client, session);
    return session;
  };

  it('is refused while it runs and to others, and answered once; afterwards everything is answered 410', async () => {
    const { owner, stranger, world } = stage;
    const session = await newSession(owner);
    const withToken = { Authorization: `Bearer ${session.token}` };
    expectCode(await owner.delete(pathOf(session)), 409, 'session_running');
    expectCode(await stranger.delete(pathOf(session)), 401, 'not_authorised');
    expectText(await world.anonymous.delete(pathOf(session), withToken), 401);
    expectText(await owner.delete(`${sessionPath}/01900000-0000-7000-8000-000000000000`), 404);
    await end(owner, session);
    expectCode(await stranger.delete(pathOf(session)), 401, 'not_authorised');
    const answers = await Promise.all(Array.from({ length: 6 }, () => owner.delete(pathOf(session))));
    expect(answers.map(({ status }) => status)).to.have.members([200, 410, 410, 410, 410, 410]);
    const [erased] = answers.filter(({ status }) => status === 200);
    if (erased === undefined) throw new Error('none erased it');
    const { erased_at } = bodyOf(Erased, erased);
    for (const answer of [
      await world.admin.get(pathOf(session)),
      ...(await Promise.all(['/end', '/offer', '/ice', '/token'].map((rest) => owner.post(pathOf(session, rest), {})))),
    ]) {
      expectCode(answer, 410, 'erased');
      expect(answer.body).to.have.nested.property('detail.erased_at', erased_at);
    }
    expectCode(await stranger.get(pathOf(session)), 401, 'not_authorised');
    expectText(await world.anonymous.get(pathOf(session), withToken), 401);
  });

  it('leaves no metadata in any file or answer, and keeps the charges and their key', async () => {
    const { owner, world } = stage;
    const session = await noted(owner, 'Quittenbaum Metadata');
    expect(await foundIn(world.dataDir, ['Quittenbaum Metadata'])).to.deep.equal([]);
    await connect(stage, owner, session);
    await setTimeout(1_100);
    await end(owner, session);
    const log = () => world.admin.get(`/v1/audit/events?stream=realtimeSession-${session.session_id}`);
    expect((await log()).text).to.include('Quittenbaum Metadata');
    const usage = async () => (await expectOk(world.admin.get('/v1/accounts/realtime-1/usage?group_by=key'))).body;
    const before = await usage();
    expect(before).to.have.nested.property('total.charges').that.is.greaterThan(0);
    await expectOk(owner.delete(pathOf(session)));
    const shown = await log();
    expect(shown.text).not.to.include('Quittenbaum');
    expect(shown.body).to.containSubset({ events: [{ type: 'RealtimeSessionCreated', data: null }] });
    await world.restart();
    expectCode(await owner.delete(pathOf(session)), 410, 'erased');
    expect(await usage()).to.deep.equal(before);
  });

  it('is also done by retention, for those that ended long enough ago', async () => {
    const { owner, stranger, world } = stage;
    const set = (days: number | null) => world.admin.put('/v1/accounts/realtime-1/retention', { days });
    const later = (days: number) =>
      world.restart(async () => {
        passed += days;
      });
    const [old, other] = [await endedSession(owner, 'old'), await endedSession(stranger, 'other')];
    await set(10);
    await later(5);
    await setTimeout(500);
    expectText(await owner.get(pathOf(old)), 404);
    await later(6);
    for (let status = 0; status !== 410;) ({ status } = await owner.get(pathOf(old)));
    expectText(await stranger.get(pathOf(other)), 404);
    const log = await world.admin.get(`/v1/audit/events?stream=realtimeSession-${old.session_id}&actor=retention`);
    expect(log.body).to.containSubset({ events: [{ actor: { key_id: 'retention' } }] });
    await set(null);
  });
});
