import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { spawnCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { chargesOf, transcriptOf } from '../support/e2e/naming.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { hangs, hangsInBody, sendsSlowly } from '../support/name-model/behaviours.js';
import { failures } from '../support/name-model/failures.js';
import { startScriptedModel } from '../support/name-model/scripted-model.js';

const words = ['Wilhelmina', 'Featherstonehaugh', 'zeppelin', 'marmalade'];
const secrets = [...words, 'chosen-admin-key', 'key-of-the-model', 'Ottoline', 'idempotent-secret'];

const prepare = async (admin: HttpClient): Promise<void> => {
  await expectOk(admin.post('/v1/accounts/admin/credits', { amount: 100, reason: 'for a test' }));
  await expectOk(admin.post('/v2/audios', { audio_id: 'call' }));
  const transcript = transcriptOf([1, 'My name is Wilhelmina Featherstonehaugh. The zeppelin, please, and marmalade.']);
  const speakers = [{ speaker_id: 1 }, { speaker_id: 2, name: 'Ottoline' }];
  await expectOk(admin.put('/v2/audios/call/analysis', { status: 'completed', speakers, segments: [], transcript }));
};

describe('the log of failed inferences at its most verbose level', function () {
  this.timeout(60_000);

  it('contains each failure with its request and reason, and no transcript, key or name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-logs-'));
    const model = await startScriptedModel();
    const env = {
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'trace',
      ADMIN_API_KEY: 'chosen-admin-key',
      NAME_MODEL_URL: model.url,
      NAME_MODEL_API_KEY: 'key-of-the-model',
      NAME_MODEL_TIMEOUT_SECONDS: '1',
    };
    const service = spawnCommand(['serve'], env, 55_000);
    const admin = httpClient((await service.prints(/http:\/\/\S+/)).trim(), 'chosen-admin-key');
    await prepare(admin);
    const failed: string[] = [];
    const behaviours = [...Object.values(failures).map(([behaviour]) => behaviour), hangs, hangsInBody, sendsSlowly];
    for (const [index, behaviour] of behaviours.entries()) {
      model.play(behaviour);
      const key = { 'Idempotency-Key': `idempotent-secret-${index}` };
      const path = `/v2/audios/call/speaker-name-inference${index % 2 === 0 ? '' : '/suggestions'}`;
      const answer = await admin.post(path, { target_speaker_ids: [1, 2], infer_roles: true }, key);
      expect(answer.status, answer.text).to.equal(502);
      expect(answer.headers.get('X-Run-Id')).to.match(/^[\w-]{36}$/);
      expect((await admin.get('/readyz')).body)
        .to.have.nested.property('warnings[0]')
        .that.includes('NAME_MODEL_URL');
      failed.push(answer.headers.get('X-Request-Id') ?? '');
    }
    expect(await chargesOf(admin, 'admin')).to.deep.equal([]);
    service.signal('SIGTERM');
    const { code, err, out } = await service.ended;
    await model.close();
    await rm(folder, { recursive: true, force: true });
    expect(code).to.equal(0);
    for (const secret of secrets) expect(err + out).not.to.include(secret);
    const lines = err.trim().split('\n');
    for (const request_id of failed) {
      const entries = lines.filter((line) => line.includes(request_id));
      expect(entries.join()).to.match(/"reason":"[^"]+"/);
    }
  });
});
