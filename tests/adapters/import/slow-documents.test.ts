import { expect } from 'chai';
import { readDocument } from '../../../adapters/import/read-document.js';

describe('documents that are made to be slow', () => {
  it('are read or refused in time', () => {
    const long = 300_000;
    const cue = '00:00:01.000 --> 00:00:02.000\n';
    const slow = [
      `WEBVTT\n\n${cue}<v ${' '.repeat(long)}\n`,
      `WEBVTT\n\n${cue}<v ${'speaker '.repeat(60)}!>Hi</v>\n`,
      `WEBVTT\n\n${cue}<v ${'('.repeat(long)}>Hi</v>\n`,
      `WEBVTT\n\n${cue}Hi\n\n1:${' '.repeat(long)}x\n`,
      `WEBVTT\n\n${cue}Hi\n\n${'more\n'.repeat(long)}`,
      `WEBVTT\n\n${cue}${'a '.repeat(long)}\n\n00:00:02.000 --> 00:00:03.000\n${'a '.repeat(long)}b\n`,
      `WEBVTT\n\n${cue}${'<'.repeat(long)}\n`,
      `1${'\n'.repeat(long)}x`,
      `{"a": ${'"'.repeat(long)}}`,
      `[${'NaN,'.repeat(long)}x]`,
      `SPEAKER ${'a '.repeat(long)}\n`,
    ];
    for (const [index, text] of slow.entries()) {
      const begin = performance.now();
      readDocument([Buffer.from(text)]);
      expect(performance.now() - begin, `document ${index}`).to.be.lessThan(10_000);
    }
  });
});
