import * as fc from 'fast-check';
import { expect } from 'chai';
import { chatNameModel } from '../../adapters/name-model/chat/chat-name-model.js';
import { chunkTranscript, estimateTokens, splitText } from '../../adapters/name-model/chat/requests.js';
import { failed, succeeded } from '../support/event-store/stores.js';
import { answersStatus, findsIntroductions, proposes, slow } from '../support/name-model/behaviours.js';
import { type ScriptedModel, startScriptedModel } from '../support/name-model/scripted-model.js';
import { longTranscript, questionAbout, transcriptOf } from '../support/name-model/questions.js';

const context = 6_000;

describe('name model: chat completions, transcripts longer than the context', () => {
  let server: ScriptedModel;
  const ask = (question: Parameters<ReturnType<typeof chatNameModel>['infer']>[0], timeout_seconds = 10) => {
    const settings = { api_key: null, model: 'namer-1', context_tokens: context };
    return chatNameModel({ url: server.url, timeout_seconds, ...settings }).infer(question);
  };

  beforeEach(async () => {
    server = await startScriptedModel();
  });
  afterEach(() => server.close());

  it('sends all of it, in overlapping parts with all speakers, each within the context', async () => {
    const question = questionAbout(longTranscript(200), true);
    const answer = await succeeded(ask(question));
    const parts = server.requests.map(({ transcript }) => transcript.map(({ index }) => index));
    expect(parts.length).to.be.within(3, 30);
    expect([...new Set(parts.flat())]).to.deep.equal(Array.from({ length: 200 }, (_, index) => index));
    for (const [place, part] of parts.slice(1).entries()) expect(parts[place]).to.include(part[0]);
    for (const { speakers, body } of server.requests) {
      expect(speakers).to.deep.equal(question.speakers);
      expect(estimateTokens(JSON.stringify(body))).to.be.lessThan(context);
    }
    expect(answer.total_tokens).to.equal(parts.flat().length);
  });

  it('merges the proposals of parts, and reports "nothing" only if no part found anything', async () => {
    const anna = { speaker_id: 0, name: 'Anna', quote: 'I am Anna', pattern: 'self_introduction' };
    const ines = { speaker_id: 1, name: 'Ines', quote: 'thanks, Ines', pattern: 'addressed_by_other' };
    const [none, nobody] = [{ speaker_id: 1 }, { speaker_id: 2 }];
    server.play(proposes([anna, anna, none, nobody], 10), proposes([none, nobody, anna, ines], 20), proposes([], 0));
    const { proposals } = await succeeded(ask(questionAbout(longTranscript(200))));
    expect(server.requests.length).to.be.greaterThan(2);
    expect(proposals).to.deep.equal([anna, anna, nobody, ines]);
  });

  it('fails as a whole when a part fails, and sends no more', async () => {
    server.play(findsIntroductions, answersStatus(500), findsIntroductions);
    expect(await failed(ask(questionAbout(longTranscript(200))))).to.include({ reason: 'the response has status 500' });
    expect(server.requests).to.have.length(2);
  });

  it('has one deadline for all parts', async () => {
    server.play(slow(150));
    expect(await failed(ask(questionAbout(longTranscript(200)), 0.4))).to.include({ reason: 'no answer within 0.4 s' });
  });

  it('fails without a request if the context has no room for a transcript', async () => {
    const { infer } = chatNameModel({
      url: server.url,
      api_key: null,
      model: 'namer-1',
      timeout_seconds: 5,
      context_tokens: 1_000,
    });
    const { reason } = await failed(infer(questionAbout(longTranscript(2))));
    expect(reason).to.equal('a context of 1000 tokens has no room for the transcript');
    expect(server.requests).to.deep.equal([]);
  });
});

describe('name model: chat completions, chunks', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 400, size: 'max' }),
    fc.string({ unit: 'grapheme', maxLength: 400, size: 'max' }),
  );
  const said = fc.array(fc.tuple(fc.nat(3), text), { minLength: 1, maxLength: 40, size: 'max' });

  it('contain every utterance and every pair of neighbours, in order, within the limit', () => {
    fc.assert(
      fc.property(said, fc.integer({ min: 512, max: 4_000 }), (utterances, room) => {
        const chunks = chunkTranscript(transcriptOf(...utterances), room);
        const pairs = new Set<string>();
        for (const chunk of chunks) {
          expect(chunk.reduce((sum, line) => sum + estimateTokens(line.text), 0)).to.be.at.most(room);
          for (const [place, { index }] of chunk.entries()) pairs.add(`${chunk[place - 1]?.index} ${index}`);
          expect(chunk.map(({ index }) => index)).to.deep.equal(chunk.map(({ index }) => index).sort((a, b) => a - b));
        }
        for (let index = 1; index < utterances.length; index += 1) expect(pairs).to.include(`${index - 1} ${index}`);
        expect(chunks.flat().map(({ index }) => index)).to.include.members([0, utterances.length - 1]);
      }),
    );
  });

  it('split a text into overlapping pieces that are complete and fit', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 200 }), (whole, most) => {
        const pieces = splitText(whole, most);
        let covered = 0;
        for (const piece of pieces) {
          const start = whole.lastIndexOf(piece, covered);
          expect(start).to.be.within(0, covered);
          covered = Math.max(covered, start + piece.length);
          expect(estimateTokens(piece)).to.be.at.most(most);
        }
        expect(covered).to.equal(whole.length);
      }),
    );
  });
});
