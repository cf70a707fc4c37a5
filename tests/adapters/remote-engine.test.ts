import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { remoteEngine } from '../../adapters/realtime/remote-engine.js';
import type { EngineReport, RealtimeEngine } from '../../application/ports/realtime-engine.js';
import { type HttpEngine, startHttpEngine } from '../support/realtime/http-engine.js';
import { sessionId } from '../support/values.js';

const session = sessionId('s-1');
const sdp = 'v=0\r\n';

describe('remote engine', () => {
  let far: HttpEngine;
  let engine: RealtimeEngine;
  let reports: EngineReport[] = [];
  const report = (one: EngineReport): void => void reports.push(one);
  const heardSoon = async (count: number): Promise<ReadonlyArray<EngineReport>> => {
    for (let turn = 0; turn < 200 && reports.length < count; turn += 1) await setTimeout(10);
    return reports;
  };
  beforeEach(async () => {
    far = await startHttpEngine();
    engine = remoteEngine(`${far.url}/`);
    reports = [];
  });
  afterEach(async () => {
    await engine.shutDown();
    await far.close();
  });

  it('answers offers, and reports until the session is closed', async () => {
    expect(await engine.negotiate(session, sdp, report)()).to.deep.equal(E.right({ sdp: `${sdp}a=far\r\n` }));
    await engine.negotiate(session, sdp, report)();
    await heardSoon(1);
    const activity = { kind: 'voice_activity', start: 0, end: 0.25, speaking: true, level_dbfs: -30 };
    const video = { kind: 'video_stats', start: 0, end: 1, frames: 3, width: null, height: null };
    const text = `${JSON.stringify(activity)}\n\n${JSON.stringify(video)}\n`;
    far.write('s-1', text.slice(0, 30));
    await setTimeout(20);
    far.write('s-1', text.slice(30));
    expect(await heardSoon(3)).to.deep.equal([{ kind: 'media', state: 'connected' }, activity, video]);
    expect(await engine.close(session)()).to.deep.equal(E.right(undefined));
    await setTimeout(50);
    expect(reports.length).to.equal(3);
    expect(far.requests.filter((one) => one.endsWith('/reports'))).to.deep.equal(['GET /sessions/s-1/reports']);
    expect(await engine.close(session)(), 'closed before').to.deep.equal(E.right(undefined));
  });

  it('passes on the reason of a refused offer or candidate', async () => {
    const refused = await engine.negotiate(session, 'nonsense', report)();
    expect(refused).to.deep.equal(E.left({ _tag: 'InvalidSdp', reason: 'no v=0' }));
    const candidate = { candidate: 'x', sdp_mid: null, sdp_m_line_index: 0 };
    expect(await engine.addCandidate(session, candidate)()).to.deep.equal(
      E.left({ _tag: 'InvalidIceCandidate', reason: 'no candidate' }),
    );
    const good = { ...candidate, candidate: 'candidate:1' };
    expect(await engine.addCandidate(session, good)()).to.deep.equal(E.right(undefined));
  });

  it('reports failed media when the report stream breaks, and reads it again after another offer', async () => {
    await engine.negotiate(session, sdp, report)();
    await heardSoon(1);
    far.breakOff('s-1');
    expect((await heardSoon(2))[1]).to.deep.equal({ kind: 'media', state: 'failed' });
    await engine.negotiate(session, sdp, report)();
    expect((await heardSoon(3))[2]).to.deep.equal({ kind: 'media', state: 'connected' });
  });

  it('reports failed media when a report is malformed', async () => {
    const lines = ['nonsense\n', '{"kind":"video_stats","start":0,"end":1e999,"frames":1}\n', 'x'.repeat(70_000)];
    for (const [index, line] of lines.entries()) {
      const other = sessionId(`other-${index}`);
      reports = [];
      await engine.negotiate(other, sdp, report)();
      await heardSoon(1);
      far.write(other, line);
      expect((await heardSoon(2))[1]).to.deep.equal({ kind: 'media', state: 'failed' });
    }
  });

  it('is unavailable when the engine fails or cannot be reached', async () => {
    far.answerAll(500);
    const candidate = { candidate: 'candidate:1', sdp_mid: null, sdp_m_line_index: 0 };
    const calls = () => [
      engine.health()(),
      engine.negotiate(session, sdp, report)(),
      engine.addCandidate(session, candidate)(),
      engine.close(session)(),
    ];
    for (const answer of await Promise.all(calls()))
      expect(answer).to.have.nested.property('left._tag', 'EngineUnavailable');
    far.answerAll(null);
    expect(await engine.health()()).to.deep.equal(E.right(undefined));
    const tooLong = await engine.negotiate(session, `v=0${'x'.repeat(2_200_000)}`, report)();
    expect(tooLong, 'an answer that is too long').to.have.nested.property('left._tag', 'EngineUnavailable');
    await far.close();
    for (const answer of await Promise.all(calls()))
      expect(answer).to.have.nested.property('left._tag', 'EngineUnavailable');
    far = await startHttpEngine();
  });
});
