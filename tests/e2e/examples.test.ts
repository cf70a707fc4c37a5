import { expect } from 'chai';
import { startWorld, type World } from '../support/world.js';

describe('the realtime page', () => {
  let world: World;
  before(async () => {
    world = await startWorld();
  });
  after(() => world.end());

  it('is served without a key, and may load from this service alone', async () => {
    const page = await fetch(`${world.url()}/examples/realtime`);
    expect(page.status).to.equal(200);
    expect(page.headers.get('content-type')).to.match(/^text\/html/);
    expect(page.headers.get('content-security-policy')).to.match(/^default-src 'self';/);
    for (const [, file] of (await page.text()).matchAll(/(?:href|src)="([^"]+)"/g)) {
      const part = await fetch(`${world.url()}/examples/realtime/${file}`);
      expect(part.status, file).to.equal(200);
      expect(part.headers.get('x-content-type-options')).to.equal('nosniff');
    }
  });

  it('serves no file of another folder', async () => {
    for (const path of ['../../../package.json', '..%2f..%2f..%2fpackage.json', 'nothing.js'])
      expect((await fetch(`${world.url()}/examples/realtime/${path}`)).status, path).to.equal(404);
  });
});
