import { expect } from 'chai';
import * as t from 'io-ts';
import { newKey, bodyOf, httpClient } from '../support/http-client.js';
import { type PageServer, startPageServer } from '../support/realtime/page-server.js';
import { startWorld, type World } from '../support/world.js';

const Created = t.type({ session_id: t.string, token: t.string, session_url: t.string });

describe('the server of the realtime example page', () => {
  let world: World;
  let server: PageServer;
  let key: string;
  before(async () => {
    world = await startWorld();
    key = await newKey(world.admin, 'pays');
    await world.admin.post('/v1/accounts/pays/credits', { amount: 7, reason: 'a test' });
    server = await startPageServer(world.url(), key);
  });
  after(async () => {
    await server?.stop();
    await world.end();
  });

  it('serves a page that may load only from it and from the service', async () => {
    const page = await fetch(server.url);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.match(/^text\/html/);
    expect(page.headers.get('content-security-policy')).to.include(`connect-src 'self' ${world.url()} ws:`);
    for (const [, file] of (await page.text()).matchAll(/(?:href|src)="([^"]+)"/g)) {
      const part = await fetch(`${server.url}/${file}`);
      expect(part.status, file).to.equal(200);
      expect(part.headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });

  it('serves no other file', async () => {
    for (const path of ['../../../package.json', '..%2f..%2f..%2fpackage.json', 'server.mjs'])
      expect((await fetch(`${server.url}/${path}`)).status, path).to.equal(404);
  });

  it('creates a session whose token works with the service, and never returns the key', async () => {
    const answer = await httpClient(server.url, null).raw('POST', '/session', undefined, { Origin: server.url });
    const { session_id, token, session_url } = bodyOf(Created, answer);
    expect(session_url).to.equal(`${world.url()}/v2/realtime/session/${session_id}`);
    expect(answer.text).not.to.include(key);
    const end = await world.anonymous.post(`/v2/realtime/session/${session_id}/end`, undefined, {
      Authorization: `Bearer ${token}`,
    });
    expect(end.status).to.equal(200);
  });

  it('creates none for pages of other origins, and passes on refusals of the service', async () => {
    const { post } = httpClient(server.url, null);
    expect((await post('/session', undefined, { Origin: 'http://elsewhere.example' })).status).to.equal(403);
    await world.admin.post('/v1/accounts/pays/credits', { amount: -7, reason: 'a test' });
    const refused = await post('/session', undefined, { Origin: server.url });
    expect(refused.status).to.equal(402);
    expect(refused.text).to.include('insufficient_credits');
  });
});
