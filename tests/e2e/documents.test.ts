import { expect } from 'chai';
import { expectOk } from '../support/e2e/media.js';
import { useTestApi } from '../support/e2e/test-api.js';

describe('documents and pages', () => {
  const api = useTestApi();

  it('are served without a key, and with 304 to clients that have them, whatever Cache-Control these send', async () => {
    for (const path of ['/openapi.json', '/asyncapi.json']) {
      const first = await expectOk(api().anonymous.get(path));
      for (const control of ['max-age=0', 'no-cache']) {
        const has = { 'If-None-Match': first.headers.get('etag') ?? '', 'Cache-Control': control };
        const { status, text } = await api().anonymous.get(path, has);
        expect([status, text], control).to.deep.equal([304, '']);
      }
    }
  });

  it('are refused with 4xx if a page has no such range or has changed', async () => {
    const cases = [
      [416, { Range: 'bytes=9999999999-' }],
      [412, { 'If-Match': '"another"' }],
      [412, { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }],
    ] as const;
    for (const [expected, headers] of cases) {
      const { status, text } = await api().anonymous.get('/docs', headers);
      expect(status, text).to.equal(expected);
    }
  });

  it('/ has links for programs and a page for people', async () => {
    const { body } = await api().anonymous.get('/', { Accept: 'application/json' });
    expect(body).to.deep.include({ name: 'media-analysis' }).and.have.nested.property('links.openapi', '/openapi.json');
    const page = await api().anonymous.get('/', { Accept: 'text/html,*/*;q=0.8' });
    expect(page.headers.get('content-type')).to.match(/^text\/html/);
  });

  for (const path of ['/docs', '/docs/', '/docs/events.html', '/docs/swagger-ui-bundle.js'])
    it(`${path} loads only from this service`, async () => {
      const { status, headers } = await api().anonymous.get(path);
      expect(status).to.equal(200);
      expect(headers.get('content-security-policy')).to.match(/^default-src 'self'; img-src 'self' data:;/);
    });
});
