import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, expectOk, getFace, createMedia } from '../support/e2e/media.js';
import { expectCode, expectMalformed, expectNothingWritten, expectText } from '../support/e2e/refusal.js';
import { type HttpAnswer, sendRequest } from '../support/http-client.js';

const megabyte = 1024 * 1024;

/** A 4xx answer with a text that says why. */
const expectClientFault = ({ status, text }: { readonly status: number; readonly text: string }): void => {
  expect(status, text).to.be.within(400, 499);
  expect(text).to.match(/"detail":("[^"]|\{"code":"[a-zA-Z_]+","message":"[^"])/);
};

describe('malformed HTTP requests', () => {
  const api = useTestApi();
  const asAdmin = () => ({ 'X-API-Key': api().world.adminKey });
  const put = (media: Media, body: string | Uint8Array, headers: Record<string, string> = {}) =>
    expectNothingWritten(api(), media, () => api().owner.raw('PUT', media.match, body, headers));

  const expectTooLarge = (answer: HttpAnswer, limit: string): void => {
    expectCode(answer, 413, 'payload_too_large');
    expect(answer.body).to.have.nested.property('detail.message', `The body is larger than ${limit}`);
  };

  afterEach('the service is still well', async () => {
    expect((await api().anonymous.get('/readyz')).status).to.equal(200);
  });

  it('with a body that is not JSON in UTF-8: 422', async () => {
    const media = await createMedia(api());
    const [notUtf8, surrogate] = [Uint8Array.of(0x22, 0xc3, 0x28, 0x22), Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)];
    for (const body of ['', '{"mappings":', '[1,]', '\u0000', 'NaN', '{}{}', notUtf8, surrogate])
      expectMalformed(await put(media, body));
    expectMalformed(await expectNothingWritten(api(), media, () => api().owner.raw('PUT', media.match, undefined)));
    expectMalformed(await put(media, `{"mappings":${'['.repeat(100_000)}${']'.repeat(100_000)}}`));
  });

  it('with a body above 2 MiB: 413, and above 64 MiB for analyses and transcripts', async () => {
    const media = await createMedia(api());
    const [mappings, spaces] = ['{"mappings":[]}', (size: number) => ' '.repeat(size * megabyte)];
    expectTooLarge(await put(media, mappings + spaces(2)), '2 MiB');
    expectCode(await put(media, mappings + spaces(2).slice(mappings.length)), 400, 'empty_mappings');
    expectTooLarge(await api().worker.raw('PUT', media.writeBack, spaces(3)), '2 MiB');
    const analyse = (body: string) => api().worker.raw('PUT', `${media.video}/analysis`, body);
    await expectOk(analyse(`{"status":"completed","faces":[]}${spaces(3)}`));
    expectTooLarge(await analyse(spaces(65)), '64 MiB');
    const transcript = `/v1/audios/${media.audioId}/transcript/replace`;
    await expectOk(api().owner.raw('PUT', transcript, `{"transcript":[]}${spaces(3)}`));
  });

  it('with a compressed body: read if declared, within the same limit', async () => {
    const media = await createMedia(api());
    const zipped = { 'Content-Encoding': 'gzip' };
    const body = JSON.stringify({ mappings: [{ face_id: 1, speaker_id: 1 }] });
    expectMalformed(await put(media, gzipSync(body)));
    expectCode(await put(media, body, zipped), 400, 'body_cut_off');
    expectCode(await put(media, gzipSync(body).subarray(0, 30), zipped), 400, 'body_cut_off');
    expectTooLarge(await put(media, gzipSync(' '.repeat(3 * megabyte)), zipped), '2 MiB');
    expectCode(await put(media, body, { 'Content-Encoding': 'zebra' }), 415, 'unsupported_encoding');
    await expectOk(api().owner.raw('PUT', media.match, gzipSync(body), zipped));
    expect(await getFace(api(), media, 1)).to.include({ speaker_id: 1 });
  });

  it('with unusual keys or texts in the body: prototypes stay as they are, Unicode is returned unchanged', async () => {
    const media = await createMedia(api());
    const polluted = '{"personality_traits":{"__proto__":{"admin":true},"constructor":1},"__proto__":{"admin":true}}';
    await expectOk(api().worker.raw('PUT', `${media.video}/faces/1/personality-traits`, polluted));
    expect((await api().owner.get(media.video)).text).to.include('{"__proto__":{"admin":true},"constructor":1}');
    expect({}).not.to.have.property('admin');
    expect((await api().owner.get('/v1/accounts')).status).to.equal(401);
    for (const title of ['Zoë', '山田 太郎', '👩‍🔬', '\u0000', 'a\u202eb', '<b>"\\\u2028', 'x'.repeat(200)])
      expect((await expectOk(api().owner.patch(media.video, { title }))).body).to.include({ title });
  });

  it('with any Content-Type: JSON is read', async () => {
    const media = await createMedia(api());
    for (const type of ['text/plain', 'nonsense', 'application/json; charset=latin1'])
      expectCode(await put(media, '{"mappings":[]}', { 'Content-Type': type }), 400, 'empty_mappings');
  });

  it('with unusual ids and malformed percent-encoding in the path: 404', async () => {
    const ids = ['%ZZ', '%E0%A4', '%00', 'a%2Fb', '%2e%2e', 'x'.repeat(129), '%F0%9F%98%80', '__proto__'];
    for (const path of [...ids.map((id) => `/v2/videos/${id}`), '/v2/videos/../../etc/passwd', '//', '/v2/%ZZ']) {
      const answer = await sendRequest(api().world.url(), { path, headers: asAdmin() });
      expect(answer.status, path).to.equal(404);
      expectClientFault(answer);
    }
  });

  it('with a path or headers above the limit: 431, with a text', async () => {
    for (const [path, headers] of [
      [`/v2/videos/${'x'.repeat(40_000)}`, asAdmin()],
      ['/healthz', { 'X-Long': 'x'.repeat(60_000) }],
    ] as const) {
      const long = await sendRequest(api().world.url(), { path, headers });
      expect(long.status).to.equal(431);
      expectClientFault(long);
      expect(long.headers.get('x-request-id')).to.match(/\S/);
    }
  });

  it('that are not HTTP: 400 with a text, and the connection is closed', async () => {
    const { hostname, port } = new URL(api().world.url());
    for (const bytes of ['nonsense\r\n\r\n', 'GET /healthz HTTP/1.1\r\nA B: c\r\n\r\n']) {
      const answer = await text(connect(Number(port), hostname).setEncoding('utf8').end(bytes));
      expect(answer, bytes).to.match(/^HTTP\/1\.1 400 (?=.*x-request-id: \S).*\{"detail":\{"code":"bad_request"/is);
    }
  });

  it('with any invalid key: 401', async () => {
    for (const key of ['', ' ', 'x'.repeat(8_000), "' OR 1=1 --", '\u00fc'])
      expectText(await api().anonymous.get('/v2/videos', { 'X-API-Key': key }), 401);
    expectText(await api().anonymous.get('/v2/videos', { Authorization: 'Bearer  ' }), 401);
  });
});
