import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { lz4 } from '../../adapters/event-store/sealed/lz4.js';
import { shortOrLong } from '../support/long-form.js';

const dictionary = '"face_id":1,"name":"Person A","speaker_id":null';
const longest = 4_096;
const { compressed, expanded } = lz4(Buffer.from(dictionary), longest);

/** From liblz4 1.9.4: `LZ4_compress_fast_continue` after `LZ4_loadDict`. */
const referenceBlocks = [
  'H3swAAHwA1pvw6sifSEhISEhISEhISEhIQ==',
  'P3NvIAMA//9E//8yNmUzNDBiOWNmZmIzN2E5ODljYTU0NGU2YmI3ODBhMmM3ODkwMWQzZmIzMzczODc2ODUxMWEzMDYxN2FmYTAxZDRiZjUxMjJm' +
    'MzQ0NTU0YzUzYmRlMmViYjhjZDJiN2UzZDE2MDBhZDYzMWMzODVhNWQ3Y2NlMjNjNzc4NTQ1OWFkYmMxYjRjOTAwZmZlNDhkNTc1YjVkYTVjNjM4' +
    'MDQwMTI1ZjY1ZGIwZmUzZTI0NDk0Yjc2ZWE5ODY0NTdkOTg2MDg0ZmVkMDhiOTc4YWY0ZDdkMTk2YTc0NDZhODZiNTgwMDllNjM2YjYxMWRiMTYy' +
    'MTFiNjVhOWFhZGZmMjljNWU1MmQ5YzUwOGM1MDIzNDczNDRkOGMwN2FkOTFjYmQ2MDY4YWZjNzVmZjYyOTJmMDYyYTA5Y2EzODFjODllNzG7AxAa' +
    'LgEAUC4uLi4u',
];

/** Texts that repeat themselves and the dictionary to varying degrees. */
const texts = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(dictionary, 'so ', 'a'.repeat(300), dictionary.slice(9))),
    {
      maxLength: 60,
    },
  )
  .map((parts) => Buffer.from(parts.join('')).subarray(0, longest));

describe('LZ4', () => {
  it('restores each text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(expanded(Uint8Array.from(compressed(text)), 0)).to.equal(text.toString());
      }),
      { numRuns: shortOrLong(300, 10_000) },
    );
  });

  it('restores texts that it could not shorten', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 33, max: 126, minLength: longest - 20, maxLength: longest }), (bytes) => {
        const text = Buffer.from(bytes);
        const block = Uint8Array.from(compressed(text));
        expect(block.length).to.be.at.most(longest + 20);
        expect(expanded(block, 0)).to.equal(text.toString());
      }),
      { numRuns: shortOrLong(10, 200) },
    );
  });

  it('copies matches at any distance, up to the maximum length and no further', () => {
    const letters = 'abcdefghijkl';
    /** Literals, then a match of `bytes` bytes at the distance `back`. */
    const repeating = (back: number, bytes: number): Buffer => {
      const more = bytes - 4 - 15;
      return Buffer.concat([
        Buffer.of((letters.length << 4) | 15),
        Buffer.from(letters),
        Buffer.of(back, 0),
        Buffer.alloc(Math.floor(more / 255), 255),
        Buffer.of(more % 255, 0),
      ]);
    };
    for (let back = 1; back <= letters.length; back += 1) {
      for (const bytes of [19, 20, 21, 22, 23, longest - letters.length]) {
        const repeated = letters.slice(-back).repeat(bytes).slice(0, bytes);
        expect(expanded(repeating(back, bytes), 0)).to.equal(letters + repeated);
      }
      const tooLong = repeating(back, longest - letters.length + 1);
      expect(() => expanded(tooLong, 0)).to.throw('the text is too long');
    }
  });

  it('reads what the reference implementation wrote with the same dictionary', () => {
    const [short, long] = referenceBlocks.map((block) => expanded(Buffer.from(block, 'base64'), 0));
    expect([short, long?.length]).to.deep.equal(['{"face_id":1,"name":"Zoë"}!!!!!!!!!!!!', 975]);
    const digests = [0, 1, 2, 3, 4].map((byte) => createHash('sha256').update(Uint8Array.of(byte)).digest('hex'));
    expect(long).to.equal(
      `${'so '.repeat(200)}${digests.join('')}"name":"Person A","speaker_id":null${'.'.repeat(20)}`,
    );
  });

  it('never produces more than the maximum length, for any input', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(10), (bytes, start) => {
        try {
          expect(expanded(bytes, start).length).to.be.at.most(longest);
        } catch (error) {
          expect(error)
            .to.be.instanceOf(Error)
            .with.property('message')
            .that.matches(/too long|beyond the start|too soon/);
        }
      }),
      { numRuns: shortOrLong(1_000, 100_000) },
    );
  });
});
