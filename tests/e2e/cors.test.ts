import { expect } from 'chai';
import { readConfig } from '../../adapters/config/config.js';
import * as E from 'fp-ts/lib/Either.js';
import { type World, startWorld } from '../support/world.js';

const page = 'https://app.example';

describe('pages of other origins', () => {
  let world: World;
  before(async () => {
    world = await startWorld({ cors_allowed_origins: [page, 'http://localhost:5173'] });
  });
  after(() => world.end());
  const ask = (path: string, headers: Record<string, string>, method = 'GET') =>
    fetch(`${world.url()}${path}`, { method, headers });

  it('are answered preflights for every method and header, with 204 and no key', async () => {
    const wanted = 'x-api-key, authorization, content-type, idempotency-key, if-match, x-min-position, x-request-id';
    const asked = { 'Access-Control-Request-Method': 'DELETE', 'Access-Control-Request-Headers': wanted };
    const { status, headers } = await ask('/v2/videos/v', { Origin: page, ...asked }, 'OPTIONS');
    expect(status).to.equal(204);
    expect(headers.get('Access-Control-Allow-Origin')).to.equal(page);
    expect(headers.get('Access-Control-Allow-Methods')?.split(', ')).to.include.members([
      'GET',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
    ]);
    const allowed = (headers.get('Access-Control-Allow-Headers') ?? '').toLowerCase().split(', ');
    expect(allowed).to.include.members(wanted.split(', '));
    expect(headers.get('Access-Control-Allow-Credentials')).to.equal(null);
    expect(headers.get('Vary')).to.equal('Origin');
  });

  it('may read answers, errors included, with their headers', async () => {
    const headers = { 'X-API-Key': world.adminKey };
    for (const [path, status] of [
      ['/v2/videos', 200],
      ['/nowhere', 404],
    ] as const) {
      const answer = await ask(path, { ...headers, Origin: page });
      expect(answer.status).to.equal(status);
      expect(answer.headers.get('Access-Control-Allow-Origin')).to.equal(page);
      expect(answer.headers.get('Access-Control-Expose-Headers')?.split(', ')).to.have.members([
        'X-Request-Id',
        'X-Event-Position',
        'ETag',
        'Retry-After',
        'X-Run-Id',
        'X-Model',
        'Idempotency-Replayed',
        'X-Ignored-Parameters',
        'X-Refusal-Reason',
      ]);
    }
  });

  it('that are not allowed get no CORS headers, so they can read nothing', async () => {
    for (const origin of ['null', 'https://app.example.evil', 'http://app.example']) {
      const preflight = await ask('/v2/videos', { Origin: origin, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS');
      expect(preflight.status).to.equal(405);
      const answer = await ask('/healthz', { Origin: origin });
      for (const { headers } of [preflight, answer]) {
        expect(headers.get('Access-Control-Allow-Origin')).to.equal(null);
        expect(headers.get('Vary')).to.equal('Origin');
      }
    }
  });
});

describe('the allowed origins', () => {
  it('are none by default, and only origins', () => {
    const read = (text: string) => {
      const config = readConfig({ CORS_ALLOWED_ORIGINS: text });
      return E.isRight(config) ? config.right.cors_allowed_origins : config.left;
    };
    expect(read('')).to.deep.equal([]);
    expect(read('https://App.example, http://localhost:5173')).to.deep.equal([page, 'http://localhost:5173']);
    expect(read('*')).to.deep.equal(['*']);
    for (const wrong of ['app.example', 'https://app.example/x', 'null', ','])
      expect(read(wrong), wrong).to.deep.equal([
        'CORS_ALLOWED_ORIGINS must be origins with commas, as in https://app.example, or *',
      ]);
  });
});
