import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { SpendingWindowBody } from '../../adapters/http/codecs/credits.js';
import { AudioAnalysisBody, PersonalityTraitsBody } from '../../adapters/http/codecs/media.js';
import { type MalformedBody, decodeBody, parseJson } from '../../adapters/http/decode.js';

const refusal = (answer: E.Either<MalformedBody, unknown>): MalformedBody => {
  if (E.isLeft(answer)) return answer.left;
  throw new Error('it was taken');
};

describe('errors of a malformed body', () => {
  it('name the invalid field, and not also the objects around it', () => {
    const body = { status: 'completed', speakers: [], segments: [], transcript: [{ speaker_id: 0, start: 0, end: 1 }] };
    expect(refusal(decodeBody(AudioAnalysisBody, body)).errors).to.deep.equal([
      { path: 'transcript[0].text', message: 'is missing; it must be a string' },
    ]);
  });

  it('name all permitted forms of a field', () => {
    const body = { status: 'completed', speakers: [], segments: [], transcript: 'Hello' };
    expect(refusal(decodeBody(AudioAnalysisBody, body)).errors).to.deep.equal([
      { path: 'transcript', message: 'must be a list or null' },
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

  it('include personality data with too many values, wherever they are', () => {
    const numbers = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`k${at}`, at]));
    const decoded = (personality_traits: unknown) => decodeBody(PersonalityTraitsBody, { personality_traits });
    expect(E.isRight(decoded(numbers))).to.equal(true);
    for (const many of [{ ...numbers, more: 1 }, { a: Object.values(numbers) }, { a: { b: numbers } }])
      expect(refusal(decoded(many)).errors).to.deep.equal([
        { path: 'personality_traits', message: 'must be a JSON object with at most 32 levels and 10,000 values' },
      ]);
  });
});
