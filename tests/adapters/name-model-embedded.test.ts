import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import type { NameAnswer } from '../../application/ports/name-model.js';
import { embeddedNameModel } from '../../adapters/name-model/embedded/embedded-name-model.js';
import { startThreads } from '../../adapters/runtime/threads.js';
import { speakerId } from '../support/values.js';
import { said } from '../domain/grounding/cases.js';

const call = said(
  '0: thank you for calling larkfield insurance my name is denise how can i help you',
  '1: hi my name is peter quill i lost my policy card',
);

const textOf = (text: string) => ({ speaker_id: speakerId(0), start: 0, end: 1, text });

const question = (transcript: typeof call) => ({
  transcript,
  speakers: [0, 1].map((id) => ({ speaker_id: speakerId(id), name: null })),
  target_speaker_ids: [speakerId(0), speakerId(1)],
  infer_roles: true,
});

describe('embedded name model', function () {
  this.timeout(60_000);
  const threads = startThreads();
  const model = embeddedNameModel(threads);
  after(threads.close);

  const answer = async (transcript: typeof call): Promise<NameAnswer> => {
    const given = await model.infer(question(transcript))();
    if (E.isLeft(given)) throw new Error(given.left.reason);
    return given.right;
  };

  it('estimates the words of a transcript', () => {
    const spaces = [' ', '\n', '\u00a0 ', '  \t'];
    const text = Array.from({ length: 150_000 }, (_, at) => `${at}${spaces[at % 4] ?? ''}`).join('');
    const transcript = [...call, ...[text, '', 'x'.repeat(450_000), ...Array<string>(20_000).fill(' a b')].map(textOf)];
    const range = model.estimate(question(transcript));
    const words = transcript.flatMap((one) => one.text.split(/\s+/).filter((word) => word !== '')).length;
    expect(range).to.deep.equal({ least: words, most: words });
    expect(model.estimate(question(call))).to.deep.equal({ least: 26, most: 26 });
  });

  it('proposes names and roles with quotes, and counts the words', async () => {
    const { proposals, total_tokens } = await answer(call);
    expect(proposals).to.deep.equal([
      {
        speaker_id: 0,
        name: 'Denise',
        quote: 'thank you for calling larkfield insurance my name is denise how can i help you',
        pattern: 'self_introduction',
        role: 'agent',
        role_quote: call[0]?.text,
      },
      {
        speaker_id: 1,
        name: 'Peter Quill',
        quote: 'hi my name is peter quill i lost my policy card',
        pattern: 'self_introduction',
        role: 'customer',
        role_quote: call[1]?.text,
      },
    ]);
    expect(total_tokens).to.equal(26);
  });

  it('processes an utterance of 400,000 characters in parts, and counts each word once', async () => {
    const end = 'my name is peter quill i lost my policy card';
    for (const [text, words] of [
      ['Aa '.repeat(130_000), 130_000],
      [`${'x'.repeat(400_000)} `, 1],
    ] as const) {
      const { proposals, total_tokens } = await answer(said(`1: ${text}${end}`));
      expect(proposals.find(({ speaker_id }) => speaker_id === 1)).to.include({ name: 'Peter Quill' });
      expect(total_tokens).to.equal(words + 10);
    }
  });

  it('proposes a name even if another speaker has it, because grounding decides', async () => {
    const speakers = [0, 1].map((id) => ({ speaker_id: speakerId(id), name: id === 0 ? 'peter  QUILL' : null }));
    const given = await model.infer({ ...question(call), speakers })();
    const proposals = E.isRight(given) ? given.right.proposals : [];
    expect(proposals[1]).to.include({ name: 'Peter Quill' });
  });

  it('proposes no part of a name that another speaker has', async () => {
    const speakers = [0, 1].map((id) => ({ speaker_id: speakerId(id), name: id === 1 ? 'Denise Fox' : null }));
    const given = await model.infer({ ...question(call), speakers })();
    expect(E.isRight(given) ? given.right.proposals[0] : null)
      .to.include({ role: 'agent' })
      .and.not.have.property('name');
  });

  it('is deterministic and has a fixed name', async () => {
    expect(model.name).to.equal('embedded-rules-1');
    expect(await answer(call)).to.deep.equal(await answer(call));
  });
});
