import { expect } from 'chai';
import {
  type ChatNameModel,
  type ChatSettings,
  chatNameModel,
} from '../../adapters/name-model/chat/chat-name-model.js';
import { failed, succeeded } from '../support/event-store/outcomes.js';
import { answersUsage, hangs, proposes } from '../support/name-model/behaviours.js';
import { type ScriptedModel, startScriptedModel } from '../support/name-model/scripted-model.js';
import { questionAbout, transcriptOf } from '../support/name-model/questions.js';

const settings = { api_key: 'sk-secret', model: 'namer-1', timeout_seconds: 5, context_tokens: 32_000 };
const transcript = transcriptOf([0, 'Hello, my name is Anna.'], [1, 'Welcome, Anna.']);

describe('name model: chat completions', () => {
  let server: ScriptedModel;
  let model: ChatNameModel;
  const use = (changes: Partial<ChatSettings> = {}) => {
    model = chatNameModel({ url: server.url, ...settings, ...changes });
    return model;
  };

  beforeEach(async () => {
    server = await startScriptedModel();
    use();
  });
  afterEach(async () => {
    await model.close();
    await server.close();
  });

  it('returns the proposals and the token count of the model', async () => {
    const proposals = [
      { speaker_id: 0, name: 'Anna', quote: 'my name is Anna', pattern: 'self_introduction' },
      { speaker_id: 0 },
      { speaker_id: 0 },
      { speaker_id: 7, role: 'agent', role_quote: 'Welcome' },
    ];
    server.play(proposes(proposals, 321));
    expect(await succeeded(model.infer(questionAbout(transcript)))).to.deep.equal({ proposals, total_tokens: 321 });
    expect(model.name).to.equal('namer-1');
  });

  it('sends one request, with a schema, temperature 0 and the key as bearer token', async () => {
    await succeeded(model.infer(questionAbout(transcript)));
    const [request] = server.requests;
    expect(server.requests).to.have.length(1);
    expect(request).to.deep.include({ method: 'POST', path: '/v1/chat/completions' });
    expect(request?.headers).to.include({ authorization: 'Bearer sk-secret', 'content-type': 'application/json' });
    expect(request?.body).to.include({ model: 'namer-1', temperature: 0 });
    expect(request?.body.response_format).to.deep.include({ type: 'json_schema' });
    expect(request?.body.response_format.json_schema).to.include({ strict: true });
    expect(JSON.stringify(request?.body)).not.to.include('sk-secret');
  });

  it('asks for roles only when they are wanted', async () => {
    await succeeded(model.infer(questionAbout(transcript, false)));
    await succeeded(model.infer(questionAbout(transcript, true)));
    const roleless = server.requests.map(({ body }) => !JSON.stringify(body).includes('role_quote'));
    expect(roleless).to.deep.equal([true, false]);
  });

  it('sends no Authorization without a key', async () => {
    await succeeded(use({ api_key: null }).infer(questionAbout(transcript)));
    expect(server.requests[0]?.headers).not.to.have.property('authorization');
  });

  for (const ending of ['', '/', '/chat/completions', '/chat/completions/', '?v=1'])
    it(`finds the completions URL from …/v1${ending}`, async () => {
      await succeeded(use({ url: `${server.url}${ending}` }).infer(questionAbout(transcript)));
      expect(server.requests[0]?.path).to.equal(`/v1/chat/completions${ending.startsWith('?') ? ending : ''}`);
    });

  it('throws for an invalid URL or key without repeating it', () => {
    for (const wrong of [{ url: 'no address' }, { url: 'ftp://models.example/v1' }, { api_key: 'no\nkey' }])
      expect(() => use(wrong))
        .to.throw()
        .with.property('message')
        .that.does.not.match(/no address|models\.example|no\nkey/);
  });

  it('answers an empty transcript without a request', async () => {
    const answer = await succeeded(model.infer(questionAbout([])));
    expect(answer).to.deep.equal({ proposals: [], total_tokens: 0 });
    expect(server.requests).to.deep.equal([]);
  });

  it('accepts an answer of zero tokens', async () => {
    server.play(answersUsage({ total_tokens: 0 }));
    expect(await succeeded(model.infer(questionAbout(transcript)))).to.include({ total_tokens: 0 });
  });

  it('aborts pending requests when it is closed, and sends no more', async () => {
    server.play(hangs);
    const asking = failed(model.infer(questionAbout(transcript)));
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
    await model.close();
    expect(await asking).to.deep.equal({ _tag: 'NameModelFailed', reason: 'the model is closed' });
    expect(await failed(model.infer(questionAbout(transcript)))).to.include({ reason: 'the model is closed' });
    expect(server.requests).to.have.length(1);
  });
});
