import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { done } from '../support/e2e/media.js';
import { chargesOf, said } from '../support/e2e/naming.js';
import { proposes, slow } from '../support/name-model/behaviours.js';
import { startPlayingModel } from '../support/name-model/playing-model.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../support/service-process.js';

const moments = [20, 52, 55, 60, 70];
const ada = { speaker_id: 1, name: 'Ada Lovelace', quote: 'my name is Ada Lovelace', pattern: 'self_introduction' };
const asked = { target_speaker_ids: [1] };

const prepare = async (client: HttpClient): Promise<void> => {
  await done(client.post('/v1/accounts/admin/credits', { amount: 100, reason: 'for a test' }));
  await done(client.post('/v2/audios', { audio_id: 'call' }));
  const transcript = said([1, 'Hello, my name is Ada Lovelace.']);
  const speakers = [{ speaker_id: 1 }];
  await done(client.put('/v2/audios/call/analysis', { status: 'completed', speakers, segments: [], transcript }));
};

describe('a name inference that a kill interrupts around the model\u2019s answer', function () {
  this.timeout(120_000);

  it('is charged exactly once when the client repeats it with its key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-'));
    const model = await startPlayingModel();
    model.play(slow(50, proposes([ada])));
    const env = {
      NAME_MODEL_URL: model.url,
      NAME_MODEL_TIMEOUT_SECONDS: '1',
    };
    let service: ServiceProcess = await startServiceProcess(folder, { env });
    await prepare(httpClient(service.url, adminKey));
    for (const [index, moment] of moments.entries()) {
      const path = '/v2/audios/call/speaker-name-inference';
      const key = { 'Idempotency-Key': `key-${index}` };
      const cutOff = httpClient(service.url, adminKey)
        .post(path, asked, key)
        .catch(() => null);
      await setTimeout(moment);
      await service.kill();
      await cutOff;
      service = await startServiceProcess(folder, { env });
      const client = httpClient(service.url, adminKey);
      const again = await done(client.post(path, asked, key));
      const charges = await chargesOf(client, 'admin');
      expect(charges.length).to.equal(index + 1);
      expect(charges[0]).to.include({ run_id: again.headers.get('X-Run-Id') });
    }
    await service.stop();
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });
});
