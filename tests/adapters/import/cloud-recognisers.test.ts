import { expect } from 'chai';
import { allOf, unknown } from './content.js';

const textOf = (document: object): string => JSON.stringify(document);

describe('documents of cloud and live recognisers', () => {
  it('keep speakers of different channels apart: Gladia, Deepgram live', () => {
    const utterance = { start: 1, end: 2, text: 'Yes.', speaker: 0, channel: 0 };
    const utterances = [utterance, { ...utterance, start: 3, end: 4, channel: 1 }];
    expect(allOf(textOf({ result: { transcription: { utterances } } }))).to.deep.equal([
      '1-2 #0: Yes.',
      '3-4 #1: Yes.',
    ]);

    const results = (channel: number, start: number) => ({
      type: 'Results',
      channel_index: [channel, 2],
      is_final: true,
      channel: { alternatives: [{ transcript: 'Yes.', words: [{ word: 'Yes.', start, end: start + 1, speaker: 0 }] }] },
    });
    expect(allOf(textOf([results(0, 1), results(1, 1.5), results(0, 2)]))).to.deep.equal([
      '1-3 #0: Yes. Yes.',
      '1.5-2.5 #1: Yes.',
    ]);
    expect(allOf(textOf(results(0, 1)))).to.deep.equal(['1-2 #0: Yes.']);
  });

  it('are refused if the job is not done: Gladia', () => {
    const transcription = { utterances: [{ start: 1, end: 2, text: 'Yes.' }] };
    expect(() => allOf(textOf({ status: 'processing', result: { transcription } }))).to.throw(/status/);
    expect(() => allOf(textOf({ status: 'done', result: { transcription: {} } }))).to.throw(/no utterances/);
  });

  it('are read without translations, and in scripts without spaces: Soniox', () => {
    const tokens = [
      { text: '你', start_ms: 1000, end_ms: 1200 },
      { text: '好', start_ms: 1200, end_ms: 1400 },
      { text: '。', start_ms: 1400, end_ms: 1400 },
      { text: 'Hello.', translation_status: 'translation' },
      { text: '早', start_ms: 5000 },
      { text: '安', start_ms: 5300, end_ms: 5500 },
    ].map((token) => ({ ...token, speaker: 1 }));
    expect(allOf(textOf({ tokens }))).to.deep.equal(['1-1.4 #1: 你好。', '5-5.5 #1: 早安', '1 token of a translation']);
  });

  it('may name no speaker for a part: Voxtral, AssemblyAI streaming', () => {
    const segments = [
      { start: 1, end: 2, text: ' Yes.', speaker_id: 3 },
      { start: 4, end: 5, text: ' No.', speaker_id: null },
    ];
    expect(allOf(textOf({ segments }))).to.deep.equal(['1-2 #3: Yes.', '4-5 ?: No.', unknown(1)]);

    const words = [
      { text: 'Yes.', start: 1000, end: 2000, speaker: 'B' },
      { text: 'No.', start: 2000, end: 3000, speaker: 'UNKNOWN' },
      { text: 'Why?', start: 3000, end: 4000 },
    ];
    const turn = { type: 'Turn', turn_order: 0, turn_is_formatted: true, speaker_label: 'A', words };
    expect(allOf(textOf(turn))).to.deep.equal(['1-2 #1: Yes.', '2-3 ?: No.', '3-4 #0: Why?', unknown(1)]);
  });

  it('keep the formatted message of a turn, and the last one of a turn that was cut: AssemblyAI streaming', () => {
    const turn = (turn_order: number, text: string, turn_is_formatted: boolean) => ({
      type: 'Turn',
      turn_order,
      turn_is_formatted,
      words: [{ text, start: turn_order * 5000, end: turn_order * 5000 + 1000 }],
    });
    expect(
      allOf(textOf([turn(1, 'Yes.', true), turn(1, 'yes', false), turn(2, 'n', false), turn(2, 'no', false)])),
    ).to.deep.equal(['5-6 ?: Yes.', '10-11 ?: no', '2 interim result', unknown(2)]);
  });
});
