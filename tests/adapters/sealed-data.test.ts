import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { openText, sealLongText, sealText } from '../../adapters/event-store/sealed/sealed-text.js';
import { commonText } from '../../adapters/event-store/sealed/common-text.js';
import { isSealed, sealedDataIn } from '../../adapters/event-store/sealed/sealed-data.js';
import { JsonObject } from '../../domain/kernel/json.js';
import { shortOrLong } from '../support/long-form.js';
import { event, key, matched, storedByLz4, storedForms } from '../support/stored-sealed.js';

const lengthOf = (data: object): number => JSON.stringify(data).length;

describe('sealed data', () => {
  it('is compressed with a dictionary that never changes', () => {
    expect(createHash('sha256').update(commonText).digest('hex')).to.equal(
      '72046c6f89dcb9d8166fa6788b621da0a5bc860d8506517a2989b6d33d68bd5e',
    );
    for (const { sealed, data } of storedForms) expect(openText(sealed, key, event)).to.deep.equal(data);
  });

  it('can be read back unchanged, whatever its content and form', async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.json().map(JSON.parse)), async (data: unknown) => {
        if (!JsonObject.is(data)) throw new Error('no object');
        const stored = [sealText(data, key, event), await sealLongText(data, key, event)];
        for (const text of stored) expect(openText(text, key, event)).to.deep.equal(JSON.parse(JSON.stringify(data)));
      }),
      { numRuns: shortOrLong(50, 1_000) },
    );
  });

  it('is extracted from its stored text, with the same result as parsing it', () => {
    const stored = { sealed: storedByLz4, key: 'audio-v7-audio:1+video-v7:1', v: 2 };
    for (const v of [1, 2]) expect(sealedDataIn(JSON.stringify({ ...stored, v }))).to.deep.equal({ ...stored, v });
    expect(sealedDataIn(JSON.stringify({ ...stored, v: 3 }))).to.equal(null);
    const parts = fc.constantFrom(
      '{"sealed":"',
      '","key":"',
      '","v":1}',
      '","v":2}',
      '"',
      '\\"',
      '\\u0041',
      ',',
      '1',
      'a',
      '{',
      '}',
      ' ',
      'é',
    );
    const texts = fc.oneof(
      fc.array(parts, { maxLength: 12 }).map((some) => `{"sealed":"${some.join('')}","v":2}`),
      fc.array(parts, { maxLength: 12 }).map((some) => some.join('')),
      fc
        .record({ sealed: fc.string(), key: fc.string(), v: fc.constantFrom(1, 2, 3) })
        .map((data) => JSON.stringify(data)),
      fc.json(),
    );
    const parsed = (text: string): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        return null;
      }
    };
    fc.assert(
      fc.property(texts, (text) => {
        const [found, said] = [sealedDataIn(text), parsed(text)];
        if (found === null) return;
        expect(isSealed(found)).to.equal(true);
        if (said !== null) expect(found).to.deep.equal(said);
      }),
      { numRuns: shortOrLong(500, 20_000) },
    );
    for (const other of [null, [], 'a', {}, { ...stored, v: 3 }, { ...stored, key: 1 }, { sealed: 'a', v: 1 }])
      expect(isSealed(other)).to.equal(false);
  });

  it('can be read back at every length, including lengths above the buffer size', () => {
    for (const length of [...Array(300).keys(), 4_080, 4_081, 4_082, 4_096, 6_000, 20_000]) {
      for (const piece of [
        'a',
        'ab"cé',
        '🙂',
        Array.from({ length: 64 }, (_, code) => String.fromCharCode(33 + code)).join(''),
      ]) {
        const data = {
          text: piece
            .repeat(Math.ceil(length / piece.length))
            .slice(0, length)
            .toWellFormed(),
        };
        expect(openText(sealText(data, key, event), key, event)).to.deep.equal(data);
      }
    }
  });

  it('can be read back if it cannot be compressed', () => {
    for (const length of [70, 71, 100, 3_000, 4_060, 4_075, 4_090, 9_000]) {
      const data = { text: randomBytes(length).toString('base64').slice(0, length) };
      expect(openText(sealText(data, key, event), key, event)).to.deep.equal(data);
    }
  });

  it('is smaller than the event in clear, even for small events and unusual shapes', () => {
    const unusual = { rank: 1, ...matched, changes: matched.changes.map((change) => ({ rank: 1, ...change })) };
    for (const data of [matched, unusual]) {
      expect(sealText(data, key, event).length).to.be.lessThan(lengthOf(data) * 0.6);
      expect(openText(sealText(data, key, event), key, event)).to.deep.equal(data);
    }
  });

  it('expands at most eightfold, except for short texts', () => {
    for (const length of [4_000, 5_000, 100_000, 2_000_000]) {
      const data = { text: 'a'.repeat(length) };
      const text = sealText(data, key, event);
      if (length > 4_096) expect(lengthOf(data)).to.be.lessThan(8 * text.length);
      else expect(text.length).to.be.lessThan(200);
      expect(openText(text, key, event)).to.deep.equal(data);
    }
  });

  it('can be opened only with its own key, for its own event, and completely', () => {
    const text = sealText(matched, key, event);
    const bytes = Buffer.from(text, 'base64');
    expect(openText(text, Buffer.alloc(32, 8), event)).to.equal(null);
    expect(openText('', key, event)).to.equal(null);
    for (const other of [{ stream: 'video-w' }, { type: 'VideoRegistered.v1' }, { id: 'another' }])
      expect(openText(text, key, { ...event, ...other })).to.equal(null);
    for (let length = 0; length < bytes.length; length += 1)
      expect(openText(bytes.subarray(0, length).toString('base64'), key, event)).to.equal(null);
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(openText(changed.toString('base64'), key, event)).to.equal(null);
    }
  });
});
