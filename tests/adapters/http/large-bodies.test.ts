import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { bodyReading } from '../../../adapters/http/body.js';
import { parseJson, readLarge, transcriptReader } from '../../../adapters/http/decode.js';
import { type Threads, startThreads } from '../../../adapters/runtime/threads.js';

describe('large bodies', () => {
  it('with too many values or too many levels are refused', () => {
    const messageFor = (text: string): string => {
      const answer = readLarge({ reader: transcriptReader.codec.name, bytes: Buffer.from(text) });
      return E.isLeft(answer) ? answer.left.message : 'taken';
    };
    expect(messageFor(`{"transcript":[],"x":[${'0,'.repeat(4_000_000)}0]}`)).to.include('more than 4,000,000 values');
    expect(messageFor(`{"transcript":[],"x":${'['.repeat(101)}${']'.repeat(101)}}`)).to.include(
      'deeper than 100 levels',
    );
    expect(messageFor(`{"transcript":[],"x":[${'{},'.repeat(3_900_000)}0]}`)).to.equal('taken');
    expect(messageFor(String.raw`{"transcript":[],"x":"[[,\"],[\\"}`)).to.equal('taken');
  });

  describe('in a thread', () => {
    let threads: Threads;
    before(() => {
      threads = startThreads();
    });
    after(() => threads.close());
    const bytesOf = (text: string) => new TextEncoder().encode(text);

    it('give the same result as in the main thread', async () => {
      const text = JSON.stringify({
        transcript: Array.from({ length: 20_000 }, (_, n) => ({ speaker_id: n % 3, start: n, end: n + 1, text: 'ä' })),
      });
      const read = () => bodyReading(threads)(transcriptReader, bytesOf(text))();
      const here = E.chainW(transcriptReader.read)(parseJson(Buffer.from(text)));
      const answers = await Promise.all([read(), read(), read()]);
      answers.forEach((answer) => expect(answer).to.deep.equal(here));
      expect(E.isRight(here) && here.right.transcript.parts.length).to.be.greaterThan(1);
    });
  });
});
