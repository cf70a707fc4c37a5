import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { spawnCommand } from '../support/e2e/command.js';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { commitPath, grant, suggestPath } from '../support/e2e/naming.js';
import { bodyOf, httpClient } from '../support/http-client.js';
import { answersContent, answersStatus } from '../support/name-model/behaviours.js';
import { startScriptedModel } from '../support/name-model/scripted-model.js';

const name = 'Katherine Johnson';
const secrets = {
  name,
  words: 'Words of a transcript',
  title: 'Title of a talk',
  label: 'Label of a key',
  admin: 'chosen-admin-key',
  model: 'key-of-the-model',
  idempotency: 'idempotent-secret',
};

describe('the log at its most verbose level', () => {
  it('consists of JSON lines without keys, names, titles and transcripts, also of refused requests and failed runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-logs-'));
    const model = await startScriptedModel();
    const service = spawnCommand(['serve'], {
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'trace',
      ADMIN_API_KEY: secrets.admin,
      NAME_MODEL_URL: model.url,
      NAME_MODEL_API_KEY: secrets.model,
    });
    const url = (await service.prints(/http:\/\/\S+/)).trim();
    const admin = httpClient(url, secrets.admin);
    const issued = await admin.post('/v1/accounts/admin/keys', { label: secrets.label, permissions: ['WORKER'] });
    const { key } = bodyOf(t.type({ key: t.string }), issued);
    const media = await createMedia(
      { owner: admin, worker: admin },
      {
        videoFields: { title: secrets.title },
        faces: [{ id: 1, name }],
        speakers: [{ speaker_id: 1 }, { speaker_id: 2, name }],
        transcript: [{ speaker_id: 1, start: 0, end: 1, text: secrets.words }],
      },
    );
    await expectOk(admin.post(media.suggestions, {}));
    const refused = [
      await httpClient(url, key).put(media.match, { mappings: [{ name }] }),
      await httpClient(url, `${key}x`).get('/v2/videos'),
      await admin.raw('PUT', media.match, `{"mappings": "${name}`),
      await admin.get(`/v2/videos?cursor=${encodeURIComponent(name)}`),
      await admin.get(media.video, { 'X-Min-Position': '9999999999999999' }),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal([422, 401, 422, 400, 503]);
    await grant({ admin }, 'admin', 100);
    const failed: string[] = [];
    for (const [path, behaviour] of [
      [suggestPath(media), answersStatus(500)],
      [commitPath(media), answersContent(`The first speaker is ${name}.`)],
    ] as const) {
      model.play(behaviour);
      const answer = await admin.post(path, { target_speaker_ids: [1] }, { 'Idempotency-Key': secrets.idempotency });
      expect(answer.status, answer.text).to.equal(502);
      expect(answer.headers.get('X-Run-Id')).to.match(/^[\w-]{36}$/);
      failed.push(answer.headers.get('X-Request-Id') ?? '');
    }
    service.signal('SIGTERM');
    const { code, err, out } = await service.ended;
    await model.close();
    await rm(folder, { recursive: true, force: true });
    expect(code).to.equal(0);
    const lines = err.trim().split('\n');
    lines.forEach((line) => expect(() => void JSON.parse(line), line).not.to.throw());
    for (const secret of [...Object.values(secrets), key]) expect(err + out).not.to.include(secret);
    expect(err).to.include(refused.at(-1)?.headers.get('X-Request-Id'));
    for (const request_id of failed)
      expect(lines.filter((line) => line.includes(request_id)).join()).to.match(/"reason":"[^"]+"/);
  });
});
