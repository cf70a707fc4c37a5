import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { type BodyReader, parseJson } from '../../../adapters/http/decode.js';
import { BodyBytes } from '../../../adapters/http/bodies/json-bytes.js';
import {
  audioAnalysisReader,
  transcriptReader,
  videoAnalysisReader,
} from '../../../adapters/http/bodies/analysis-readers.js';
import { type LargeBodies, largeBodies } from '../../../adapters/http/bodies/large-bodies.js';
import { readLarge } from '../../../adapters/http/bodies/read-large.js';
import { bodyOf } from '../../../adapters/http/bodies/receive-body.js';
import { shortOrLong as runs } from '../../support/long-form.js';

const inBlocks = (text: string, blockSize: number): BodyBytes => {
  const bytes = Buffer.from(text);
  const blocks = Array.from({ length: Math.ceil(bytes.length / blockSize) }, (_, index) =>
    Buffer.concat([bytes.subarray(index * blockSize, (index + 1) * blockSize)], blockSize),
  );
  return new BodyBytes(blocks, bytes.length);
};

/** The results of reading a text as a small body and as a large one. */
const both = <Body>(reader: BodyReader<Body>, text: string, blockSize: number) => {
  const small = E.chainW(reader.read)(parseJson(Buffer.from(text)));
  return [readLarge(reader, inBlocks(text, blockSize)), small] as const;
};

const time = fc.record({ start: fc.integer({ min: 0, max: 5 }), end: fc.integer({ min: 4, max: 9 }) });
const odd = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.string(),
  fc.constant({}),
  fc.constant([]),
  fc.constant('"],}'),
);
const times = fc.oneof({ weight: 6, arbitrary: fc.array(time, { maxLength: 50 }) }, fc.array(odd), odd);
const face = fc.record(
  { id: fc.nat(9), tracks: times, talking: odd, captions: fc.constant([]), 'ü"\\': odd },
  { requiredKeys: ['id', 'tracks'] },
);
const videoBody = fc.record({
  status: fc.constantFrom('completed', 'queue', 7),
  faces: fc.oneof({ weight: 6, arbitrary: fc.array(face, { maxLength: 4 }) }, odd),
  other: odd,
});
const said = fc.record({ speaker_id: fc.nat(3), start: fc.constant(0), end: fc.constant(1), text: fc.string() });
const audioBody = fc.record({
  status: fc.constant('completed'),
  speakers: fc.constant([]),
  segments: fc.oneof(fc.array(said), odd),
  transcript: fc.oneof(fc.array(said), odd),
});
const layout = fc.constantFrom(0, 1, '\t\r\n ');
const blockSizes = fc.integer({ min: 1, max: 64 });

describe('large bodies', () => {
  it('are read like small ones', () => {
    const same = <Body>(reader: BodyReader<Body>, body: unknown, space: string | number, blockSize: number): void => {
      const [large, small] = both(reader, JSON.stringify(body, null, space), blockSize);
      expect(large).to.deep.equal(small);
    };
    fc.assert(fc.property(videoBody, layout, blockSizes, (...given) => same(videoAnalysisReader, ...given)));
    fc.assert(fc.property(audioBody, layout, blockSizes, (...given) => same(audioAnalysisReader, ...given)));
    fc.assert(fc.property(audioBody, layout, blockSizes, (...given) => same(transcriptReader, ...given)));
  });

  it('with invalid JSON are refused like small ones, wherever the error is', () => {
    const text = JSON.stringify({
      status: 'queue',
      faces: [
        {
          id: 1,
          tracks: [
            { start: 0, end: 1 },
            { start: 2, end: 3 },
          ],
        },
        { id: 2, tracks: [] },
      ],
    });
    const damage = fc.tuple(
      fc.nat(text.length),
      fc.constantFrom('', ',', '[', ']', '{', '}', '"', ':', '\\', '1', 'x'),
    );
    fc.assert(
      fc.property(damage, fc.nat(2), ([at, by], removed) => {
        const [large, small] = both(videoAnalysisReader, text.slice(0, at) + by + text.slice(at + removed), 7);
        if (E.isRight(small)) expect(large).to.deep.equal(small);
        else expect(E.isLeft(large), text.slice(0, at) + by).to.equal(true);
      }),
      { numRuns: runs(300, 2_000) },
    );
  });

  it('use the last of two fields with the same name', () => {
    for (const text of [
      '{"status":"queue","faces":[{"id":1,"tracks":[{"start":0,"end":1}],"tracks":[]}]}',
      '{"status":"queue","faces":[{"id":1,"tracks":[],"tr\\u0061cks":7}]}',
      '{"status":"queue","faces":[{"id":1,"tracks":[7]}],"faces":[]}',
      '{"status":"queue","faces":[],"faces":[{"id":1,"tracks":[{"start":0,"end":1}]}]}',
    ]) {
      const [large, small] = both(videoAnalysisReader, text, 16);
      expect(large).to.deep.equal(small);
    }
  });

  it('with too many values or too many levels are refused', () => {
    const messageFor = (text: string): string => {
      const answer = readLarge(transcriptReader, inBlocks(text, 4_096));
      return E.isLeft(answer) ? answer.left.message : 'taken';
    };
    expect(messageFor(`{"transcript":[],"x":[${'0,'.repeat(250_000)}0]}`)).to.include('more than 250,000 values');
    expect(messageFor(`{"transcript":[[${'0,'.repeat(250_000)}0]]}`)).to.include('more than 250,000 values');
    expect(messageFor(`{"transcript":[],"x":${'['.repeat(101)}${']'.repeat(101)}}`)).to.include(
      'deeper than 100 levels',
    );
  });

  describe('in the worker thread', () => {
    let bodies: LargeBodies;
    before(() => {
      bodies = largeBodies();
    });
    after(() => bodies.close());

    it('give the same result as in the main thread', async () => {
      const text = JSON.stringify({
        transcript: Array.from({ length: 20_000 }, (_, n) => ({ speaker_id: n % 3, start: n, end: n + 1, text: 'ä' })),
      });
      const read = () => bodies.read(transcriptReader, bodyOf(new TextEncoder().encode(text)))();
      const here = E.chainW(transcriptReader.read)(parseJson(Buffer.from(text)));
      const answers = await Promise.all([read(), read(), read()]);
      answers.forEach((answer) => expect(answer).to.deep.equal(here));
      expect(E.isRight(here) && here.right.transcript.parts.length).to.be.greaterThan(1);
    });

    it('are refused with the errors', async () => {
      const answer = await bodies.read(transcriptReader, bodyOf(new TextEncoder().encode('{"transcript":[{}]}')))();
      expect(E.isLeft(answer) && answer.left).to.deep.include({ _tag: 'MalformedBody' });
    });
  });
});
