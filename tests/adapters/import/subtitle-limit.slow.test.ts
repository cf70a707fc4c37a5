import { expect } from 'chai';
import { readDocument } from '../../../adapters/import/read-document.js';
import { shortOrLong } from '../../support/long-form.js';
import { left, right } from './support.js';

const withCues = (count: number) =>
  readDocument([Buffer.from(`WEBVTT\n\n${'00:00:00.000 --> 00:00:01.000\n<v Ann>b\n\n'.repeat(count)}`)]);

describe('import of a file: number of subtitle cues', () => {
  it('accepts as many cues as an analysis may have utterances, and refuses more with the line of the first too many', () => {
    expect(right(withCues(200_000)).imported.speech?.summary.rows).to.equal(200_000);
    expect(left(withCues(shortOrLong(250_000, 900_000)))).to.deep.equal({
      place: 600_003,
      message: 'more than 200,000 cues',
    });
  });
});
