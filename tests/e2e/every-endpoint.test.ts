import { expect } from 'chai';
import * as t from 'io-ts';
import { type OperationId, operations } from '../../adapters/runtime/operations.js';
import { type Endpoint, endpointsAt } from '../support/e2e/endpoints.js';
import { type Callers, useTestApi } from '../support/e2e/test-api.js';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';

/** Operations without a key. */
const open: ReadonlySet<string> = new Set<OperationId>(['service.health', 'service.readiness', 'sessions.health']);
/** A tag key that a video does not have is not an error, and an unknown entry of the registry is created. */
const anyId: ReadonlySet<string> = new Set<OperationId>(['tagRegistry.register']);

const needsKey = ({ operation }: Endpoint): boolean => !open.has(operation);
/** Every operation that needs a key, with unknown ids. */
const calls = endpointsAt({}).filter(needsKey);

/** The endpoints that are made for the holders of a permission (contract, Authentication). */
const permissions: Readonly<Partial<Record<string, string>>> = {
  'videos.recordAnalysis': 'WORKER',
  'audios.recordAnalysis': 'WORKER',
  'faces.recordTraits': 'WORKER',
  'matches.writeBack': 'WORKER',
  'runs.listAll': 'WORKER',
  'names.infer': 'MEDIA_WRITE',
  'names.suggest': 'MEDIA_WRITE',
  'names.estimate': 'MEDIA_WRITE',
  'speakers.rename': 'MEDIA_WRITE',
  'speakers.setRoles': 'MEDIA_WRITE',
} satisfies Partial<Record<OperationId, string>>;

const Described = t.type({
  paths: t.record(t.string, t.record(t.string, t.type({ operationId: t.string, 'x-access': t.array(t.string) }))),
});

/** Who may call each operation, by the service's own description. */
const accessOf = async (client: HttpClient): Promise<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const { paths } = bodyOf(Described, await client.get('/openapi.json'));
  const all = Object.values(paths).flatMap((methods) => Object.values(methods));
  return new Map(all.map(({ operationId, 'x-access': access }) => [operationId, access]));
};

const ownersSession = async ({ admin, owner }: Callers): Promise<string> => {
  await expectOk(admin.post('/v1/accounts/owner/credits', { amount: 10, reason: 'for a session' }));
  return bodyOf(t.type({ session_id: t.string }), await owner.post('/v2/realtime/session')).session_id;
};

/** What every endpoint has in common (contract, Conventions: the order of checks). */
describe('every endpoint', () => {
  const api = useTestApi();
  let media: Media;
  let session_id: string | undefined;
  before(async () => {
    media = await createMedia(api());
  });
  const answer = (client: HttpClient, { method, path }: Endpoint) =>
    client.raw(method, path, method === 'GET' || method === 'DELETE' ? undefined : '{}');

  const challenge = 'Bearer realm="media-analysis"';

  for (const call of calls)
    it(`answers 401 without a key: ${call.operation}`, async () => {
      const refused = await answer(api().anonymous, call);
      expectText(refused, 401);
      expect(refused.headers.get('www-authenticate')).to.equal(challenge);
    });

  for (const call of calls)
    it(`names a permission only if it is made for its holders: ${call.operation}`, async () => {
      const { admin, owner, worker, mediaWriter, stranger } = api();
      const access = (await accessOf(admin)).get(call.operation) ?? [];
      if (access.includes('any_key')) return;
      session_id ??= await ownersSession(api());
      const ids = { video_id: media.videoId, audio_id: media.audioId, account_id: 'owner', session_id, face_id: '1' };
      const place = endpointsAt(ids).find(({ operation }) => operation === call.operation) ?? call;
      const wanted = permissions[call.operation] ?? null;
      const refused = [
        stranger,
        ...(access.includes('WORKER') ? [] : [worker]),
        ...(access.includes('MEDIA_WRITE') ? [] : [mediaWriter]),
        ...(access.includes('owner') ? [] : [owner]),
      ];
      for (const client of refused) {
        const { status, body, headers, text } = await answer(client, place);
        expect([status, headers.get('www-authenticate')]).to.deep.equal([401, challenge]);
        expect(body).to.have.nested.property('detail.code', 'not_authorised');
        if (wanted === null)
          expect(text)
            .to.match(/owner|administrator/)
            .and.not.match(/MEDIA_WRITE|WORKER|permission/);
        else expect(body).to.have.nested.property('detail.permission', wanted);
      }
    });

  it('is named where it is asked for under the other version', async () => {
    const known = new Set<string>(Object.values(operations));
    const swapped = (place: string) => place.replace(/ \/v([12])\//, (_, version) => ` /v${3 - Number(version)}/`);
    const elsewhere = Object.values(operations).filter(
      (place) => swapped(place) !== place && !known.has(swapped(place)),
    );
    expect(elsewhere.length).to.be.greaterThan(60);
    for (const place of elsewhere) {
      const [method = '', path = ''] = swapped(place)
        .replaceAll(/\{\w+\}/g, '7')
        .split(' ');
      const { status, text } = await api().admin.raw(method, path, method === 'GET' ? undefined : '{}');
      expect(status, place).to.be.oneOf([404, 405]);
      expect(text, place).to.include(`did you mean ${place}?`);
    }
    for (const method of ['GET', 'PATCH'])
      expect((await api().admin.raw(method, '/v2/audios/7/speakers/names', undefined)).text).to.include(
        'did you mean PUT /v1/audios/{audio_id}/speakers/names?',
      );
    expect((await api().admin.get('/v2/nowhere')).body).to.deep.equal({ detail: 'Not found' });
    expect((await api().admin.get('/v3/videos')).body).to.deep.equal({ detail: 'Not found' });
  });

  for (const call of calls.filter(({ operation, template }) => template.includes('{') && !anyId.has(operation)))
    it(`answers 404 for an unknown id: ${call.operation}`, async () => {
      const refused = await answer(api().admin, call);
      const [, id = ''] = /\{(\w+)_id\}/.exec(call.template) ?? [];
      if (id === 'session') expectText(refused, 404);
      else expectCode(refused, 404, `unknown_${id}`);
    });
});
