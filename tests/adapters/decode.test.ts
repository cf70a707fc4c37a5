import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { SpendingWindowBody } from '../../adapters/http/codecs/access.js';
import { AudioAnalysisBody, RegisterVideoBody } from '../../adapters/http/codecs/media.js';
import { type MalformedBody, decodeBody, parseJson } from '../../adapters/http/decode.js';

const refusal = (answer: E.Either<MalformedBody, unknown>): MalformedBody => {
  if (E.isLeft(answer)) return answer.left;
  throw new Error('it was taken');
};

describe('errors of a malformed body', () => {
  it('name the invalid field, and not also the objects around it', () => {
    const body = { status: 'completed', speakers: [], segments: [], transcript: [{ speaker_id: 0, start: 0, end: 1 }] };
    expect(refusal(decodeBody(AudioAnalysisBody, body)).errors).to.deep.equal([
      { path: 'transcript[0].text', message: 'is missing; it must be a text of at most 100,000 characters' },
    ]);
  });

  it('name all permitted forms of a field', () => {
    const body = { status: 'completed', speakers: [], segments: [], transcript: 'Hello' };
    expect(refusal(decodeBody(AudioAnalysisBody, body)).errors).to.deep.equal([
      { path: 'transcript', message: 'must be a list, or null' },
    ]);
  });

  it('end with null where that is permitted too, after a comma', () => {
    const { errors } = refusal(decodeBody(RegisterVideoBody, { video_id: '.', kind: 'film' }));
    expect(errors).to.deep.equal([
      {
        path: 'video_id',
        message: 'must be an id of 1 to 128 characters from A-Za-z0-9._:-, other than . and .., or null',
      },
      { path: 'kind', message: 'must be upload or meeting, or null' },
    ]);
  });

  it('contain no internal type names', () =>
    [[], null, 'text', 7].forEach((body) =>
      expect(refusal(decodeBody(SpendingWindowBody, body)).errors).to.deep.equal([
        { path: '', message: 'must be an object' },
      ]),
    ));

  it('concern the body itself if it is not JSON', () =>
    ['', '{', '[1,]', '\u0000'].forEach((text) => {
      const { message, errors } = refusal(parseJson(Buffer.from(text)));
      expect(errors).to.deep.equal([{ path: '', message }]);
      expect(message).to.match(/^The body is /);
    }));
});
