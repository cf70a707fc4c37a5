import { expect } from 'chai';
import * as fc from 'fast-check';
import { variantsOf } from '../support/e2e/bodied-endpoints.js';
import { oddJson } from '../support/e2e/odd-json.js';
import { expectClientFault } from '../support/e2e/raw-http.js';
import { connectResults } from '../support/realtime/results-client.js';
import { newSession, pathOf, resultsPath, sessionPath, stageOfAll } from '../support/realtime/stage.js';
import { isLongForm, shortOrLong } from '../support/long-form.js';

/** A random quarter of the variants. */
const someOf = (variants: ReadonlyArray<string>): ReadonlyArray<string> => variants.filter(() => Math.random() < 1 / 4);

describe('realtime sessions with malformed input', function () {
  this.timeout(120_000);
  const stage = stageOfAll({ max_sessions: 100_000 });

  afterEach('the service is still well', async () => {
    const { world, owner } = stage();
    expect((await world.anonymous.get('/readyz')).status).to.equal(200);
    await newSession(owner);
  });

  it('in bodies: is refused clearly or accepted', async () => {
    const { owner } = stage();
    const session = await newSession(owner);
    const endpoints = [
      [sessionPath, { metadata: { call: { id: 7 } } }],
      [pathOf(session, '/offer'), { type: 'offer', sdp: 'v=0\r\n' }],
      [pathOf(session, '/ice'), { candidate: 'candidate:1', sdp_mid: '0', sdp_m_line_index: 0 }],
    ] as const;
    for (const [path, body] of endpoints)
      for (const odd of oddJson)
        for (const sent of isLongForm ? variantsOf(body, odd) : someOf(variantsOf(body, odd))) {
          const answer = await owner.raw('POST', path, sent);
          expect(answer.status, `${path} ${sent.slice(0, 200)} ${answer.text}`).to.be.below(500);
          if (answer.status !== 200) expectClientFault(answer);
        }
  });

  it('as session ids: no session is found', async () => {
    const { owner } = stage();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (id) => {
        const { status } = await owner.get(`${sessionPath}/x${encodeURIComponent(id.toWellFormed())}`);
        expect(status).to.be.oneOf([404, 400]);
      }),
      { numRuns: shortOrLong(40, 200) },
    );
  });

  it('in handshakes: closes with a documented code', async () => {
    const { owner, world } = stage();
    const { token, session_id } = await newSession(owner);
    const part = fc.oneof(fc.constantFrom(token, session_id, '', 'undefined', '\u0000'), fc.string({ unit: 'binary' }));
    await fc.assert(
      fc.asyncProperty(part, part, async (one, other) => {
        const query = new URLSearchParams({ token: one.toWellFormed(), session_id: other.toWellFormed() });
        const client = connectResults(`${world.url()}${resultsPath}?${query.toString()}`);
        if (one === token && other === session_id) return;
        expect((await client.closed).code).to.be.oneOf([1008, 4404, 4409, 4429]);
      }),
      { numRuns: shortOrLong(60, 300) },
    );
  });
});
