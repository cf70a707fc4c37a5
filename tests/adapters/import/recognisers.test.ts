import { expect } from 'chai';
import { readDocument } from '../../../adapters/import/read-document.js';
import { allOf, unknown } from './content.js';
import { left } from './support.js';

const holds = (json: object, ...all: string[]): void => {
  expect(allOf(JSON.stringify(json))).to.deep.equal(all);
};
const refusalOf = (json: object): string => left(readDocument([Buffer.from(JSON.stringify(json))])).message;

describe('documents of recognisers', () => {
  it('of Whisper: words that are not those of the text are taken as they are; an empty list says nothing', () => {
    const words = [{ word: 'good', start: 0, end: 1 }];
    for (const text of ['Good day.', 'Day.']) holds({ text, words, segments: null }, '0-1 ?: good', unknown(1));
    const segments = [{ start: 0, end: 1, text: 'Good.' }];
    holds({ text: 'Good.', words: [], segments }, '0-1 ?: Good.', unknown(1));
    holds({ text: 'Good.', words, segments: [] }, '0-1 ?: Good.', unknown(1));
  });

  it('of whisper.cpp: tokens are parts of words, but a character cut in two is taken from its segment; ? is nobody', () => {
    const offsets = { from: 0, to: 1000 };
    const token = (text: string, from: number, to: number): object => ({ text, offsets: { from, to } });
    const tokens = [token(' Quill', 0, 400), token('er', 400, 600), token('.', 600, 600), token('[_TT_50]', 600, 600)];
    holds({ transcription: [{ offsets, text: ' Quiller.', speaker: '1', tokens }] }, '0-0.6 #1: Quiller.');
    const cut = [token(' \ufffd', 0, 500), token('\ufffd', 500, 1000)];
    holds({ transcription: [{ offsets, text: ' é', speaker: '?', tokens: cut }] }, '0-1 ?: é', unknown(1));
  });

  it('in chunks: those of speakers if there are any; those without a time are counted', () => {
    const chunks = [
      { text: ' Hi.', timestamp: [0, 1] },
      { text: ' Lost.', timestamp: [null, null] },
    ];
    holds({ speakers: [], chunks }, '0-1 ?: Hi.', '1 chunk without a time', unknown(1));
  });

  it('of Azure: times in each notation; failed phrases are counted; speaker 1 of each channel is another', () => {
    const nBest = [{ lexical: 'hi', display: 'Hi.' }, { display: 'No.' }];
    holds(
      {
        recognizedPhrases: [
          { recognitionStatus: 'Success', channel: 0, speaker: 1, offset: 'PT1M1.5S', duration: 'PT1S', nBest },
          { recognitionStatus: 'Success', channel: 1, speaker: 1, offsetInTicks: 7e8, durationInTicks: 1e7, nBest },
          { recognitionStatus: 'Success', channel: 1, offsetMilliseconds: 80000, durationMilliseconds: 500, nBest },
          { recognitionStatus: 'Failure', channel: 0, offset: 'PT90S', duration: 'PT1S' },
        ],
      },
      '61.5-62.5 #0: Hi.',
      '70-71 #2: Hi.',
      '80-80.5 #1: Hi.',
      '1 phrase whose recognition failed (Failure)',
    );
    expect(refusalOf({ recognizedPhrases: [{ nBest }] })).to.equal('has no offset and duration');
    const phrase = { offsetMilliseconds: 0, durationMilliseconds: 900 };
    holds(
      { phrases: [0, 1].map((channel) => ({ channel, text: 'Hi.', ...phrase })) },
      '0-0.9 #0: Hi.',
      '0-0.9 #1: Hi.',
    );
  });

  it('without times of words are refused with what to request', () => {
    const words = [{ text: 'Hi', type: 'word' }];
    expect(refusalOf({ language_code: 'eng', words })).to.contain('no word times: request them');
    const alternatives = [{ transcript: 'hi ' }];
    expect(refusalOf({ results: [{ final: true, alternatives }] })).to.contain('no word times: request them');
  });

  it('of Watson: interim results are counted, and a word without a label is said by nobody', () => {
    const alternatives = [{ timestamps: [['hi', 1, 1.5]] }, { timestamps: [['high', 1, 1.5]] }];
    const results = [true, false].map((final) => ({ final, alternatives }));
    holds({ results, speaker_labels: [{ from: 3, to: 4, speaker: 0 }] }, '1-1.5 ?: hi', '1 interim result', unknown(1));
  });

  it('of Vosk: one result, alternatives, lines with interim results', () => {
    const result = [{ word: 'hi', start: 1, end: 1.5, conf: 1 }];
    holds({ result, text: 'hi' }, '1-1.5 ?: hi', unknown(1));
    holds({ alternatives: [{ result, text: 'hi' }, { text: 'high' }] }, '1-1.5 ?: hi', unknown(1));
    const lines = [{ partial: 'h' }, { result, text: 'hi' }, { text: '' }, { text: 'lost' }];
    expect(allOf(lines.map((line) => JSON.stringify(line)).join('\n'))).to.deep.equal([
      '1-1.5 ?: hi',
      '1 interim result',
      '1 result without words',
      unknown(1),
    ]);
  });

  it('of Gecko: names, and punctuation after the word', () => {
    const terms = [
      { text: 'Hi', start: 1, end: 1.5, type: 'WORD' },
      { text: '.', start: 1.5, end: 1.5, type: 'PUNCTUATION' },
    ];
    holds({ monologues: [{ speaker: { id: 'S1', name: 'Ann Quill' }, terms }] }, '1-1.5 Ann Quill: Hi.');
  });
});
