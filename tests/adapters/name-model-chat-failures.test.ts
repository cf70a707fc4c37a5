import { expect } from 'chai';
import { type ChatNameModel, chatNameModel } from '../../adapters/name-model/chat/chat-name-model.js';
import { failed } from '../support/event-store/outcomes.js';
import * as played from '../support/name-model/behaviours.js';
import { failures, megabytes } from '../support/name-model/failures.js';
import { freePort } from '../support/free-port.js';
import { type ScriptedModel, startScriptedModel } from '../support/name-model/scripted-model.js';
import { questionAbout, transcriptOf } from '../support/name-model/questions.js';

const key = 'sk-secret';
const question = questionAbout(transcriptOf([0, 'Hello, my name is Zebedee.'], [1, 'Welcome.']));
const modelAt = (url: string, timeout_seconds = 5): ChatNameModel =>
  chatNameModel({ url, api_key: key, model: 'namer-1', timeout_seconds, context_tokens: 32_000 });

describe('name model: chat completions, failures', () => {
  let server: ScriptedModel;
  let model: ChatNameModel;

  beforeEach(async () => {
    server = await startScriptedModel();
    model = modelAt(server.url);
  });
  afterEach(async () => {
    await model.close();
    await server.close();
  });

  for (const [name, [behaviour, reason, requests]] of Object.entries(failures))
    it(`${name}: fails after ${requests === 1 ? 'one request' : `${requests} requests`}, and reveals no secret`, async () => {
      server.play(behaviour);
      const failure = await failed(model.infer(question));
      expect(failure._tag).to.equal('NameModelFailed');
      expect(failure.reason).to.match(reason);
      expect(failure.reason).not.to.match(/sk-secret|Zebedee|127\.0\.0\.1/);
      expect(server.requests).to.have.length(requests);
    });

  it('stops reading an endless body soon after the limit', async () => {
    server.play(played.endless);
    await failed(model.infer(question));
    const [socket] = server.sockets;
    expect(socket?.bytesWritten).to.be.lessThan(megabytes(16));
  });

  it('fails if nobody listens or the host is unknown', async () => {
    const [refused, unknown] = [modelAt(`http://127.0.0.1:${await freePort()}`), modelAt('http://nobody.invalid')];
    expect((await failed(refused.infer(question))).reason).to.equal(
      'the connection to the model failed (ECONNREFUSED)',
    );
    expect((await failed(unknown.infer(question))).reason).to.match(
      /^the connection to the model failed \((ENOTFOUND|EAI_AGAIN)\)$/,
    );
    await Promise.all([refused.close(), unknown.close()]);
  });

  const tooSlow = {
    'never answers': played.hangs,
    'stops in the body': played.hangsInBody,
    'dribbles its body': played.sendsSlowly,
    'answers too late': played.slow(2_000),
  };
  for (const [name, behaviour] of Object.entries(tooSlow))
    it(`ends in time when the model ${name}, after one request`, async () => {
      server.play(behaviour);
      const quick = modelAt(server.url, 0.3);
      expect(await failed(quick.infer(question))).to.include({ reason: 'no answer within 0.3 s' });
      expect(server.requests).to.have.length(1);
      await quick.close();
    });
});
