import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { type HttpClient, bodyOf, httpClient } from '../support/http-client.js';
import { expectOk } from '../support/e2e/media.js';
import { chargesOf, createCall } from '../support/e2e/naming.js';
import { proposes, slow } from '../support/name-model/behaviours.js';
import { type ScriptedModel, startScriptedModel } from '../support/name-model/scripted-model.js';
import { shortLivedNodeOptions } from '../support/processes.js';
import {
  type ServiceProcess,
  adminKey,
  startServiceInProcess,
  startServiceProcess,
} from '../support/service-process.js';
import { isLongForm } from '../support/long-form.js';

/** Milliseconds: before the model's answer, and while it is processed. */
const all = [20, 52, 55, 60, 70];
const moments = isLongForm ? all : all.filter((_, at) => at === 0 || at === 1 + Math.floor(Math.random() * 4));
const ada = { speaker_id: 1, name: 'Ada Lovelace', quote: 'my name is Ada Lovelace', pattern: 'self_introduction' };
const body = { target_speaker_ids: [1] };
const path = '/v2/audios/call/speaker-name-inference';
const Runs = t.type({ manual_name_inference_runs: t.array(t.type({ run_id: t.string })) });

const prepare = async (client: HttpClient): Promise<void> => {
  await expectOk(client.post('/v1/accounts/admin/credits', { amount: 100, reason: 'for a test' }));
  await createCall(client, 'call', [1, 'Hello, my name is Ada Lovelace.']);
};

describe('a name inference', function () {
  this.timeout(120_000);
  let folder: string;
  let model: ScriptedModel;
  let env: Readonly<Record<string, string>>;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-'));
    model = await startScriptedModel();
    env = { NAME_MODEL_URL: model.url, NAME_MODEL_TIMEOUT_SECONDS: '2' };
  });
  afterEach(async () => {
    await model.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('interrupted by a kill around the model’s answer is charged exactly once when the client repeats it with its key', async () => {
    model.play(slow(50, proposes([ada])));
    let service: ServiceProcess = await startServiceProcess(folder, { env, node: shortLivedNodeOptions });
    await prepare(httpClient(service.url, adminKey));
    for (const [index, moment] of moments.entries()) {
      const key = { 'Idempotency-Key': `key-${index}` };
      const cutOff = httpClient(service.url, adminKey)
        .post(path, body, key)
        .catch(() => null);
      await setTimeout(moment);
      await service.kill();
      await cutOff;
      service = await startServiceProcess(folder, { env, node: shortLivedNodeOptions });
      const client = httpClient(service.url, adminKey);
      const again = await expectOk(client.post(path, body, key));
      const charges = await chargesOf(client, 'admin');
      expect(charges.length).to.equal(index + 1);
      expect(charges[0]).to.include({ run_id: again.headers.get('X-Run-Id') });
    }
    await service.stop();
  });

  it('whose client has disconnected is finished before the service stops: run, names and charge are stored', async () => {
    const service = await startServiceInProcess(folder, env);
    await prepare(httpClient(service.url, adminKey));
    model.play(slow(1_500, proposes([ada])));
    const connection = new AbortController();
    const call = fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': adminKey, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: connection.signal,
    }).catch(() => null);
    while (model.requests.length === 0) await setTimeout(5);
    connection.abort();
    await call;
    await setTimeout(100);
    await service.stop();
    const restarted = await startServiceInProcess(folder, env);
    const client = httpClient(restarted.url, adminKey);
    const charges = await chargesOf(client, 'admin');
    const { manual_name_inference_runs: runs } = bodyOf(Runs, await client.get('/v2/audios/call'));
    expect(charges).to.have.length(1);
    expect(runs.map(({ run_id }) => run_id)).to.deep.equal(charges.map(({ run_id }) => run_id));
    expect(model.requests.length).to.equal(1);
    await restarted.stop();
  });
});
