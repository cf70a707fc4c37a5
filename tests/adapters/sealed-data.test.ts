import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { dictionary, SealedData, openText, sealText } from '../../adapters/event-store/sealed/sealed-data.js';
import { JsonObject } from '../../domain/kernel/recorded-event.js';
import { shortOrLong } from '../support/long-form.js';
import { event, key, matched, storedForms } from '../support/stored-sealed.js';

const lengthOf = (data: object): number => JSON.stringify(data).length;

const objects = fc.dictionary(fc.string(), fc.json({ maxDepth: 4 }).map(JSON.parse));

/** Calls `check` with data of any content, short and long. */
const forAnyData = (check: (data: JsonObject) => void): void =>
  fc.assert(
    fc.property(objects, fc.constantFrom(1, 1, 1, 200), (data: unknown, times) => {
      if (!JsonObject.is(data)) throw new Error('no object');
      check(times === 1 ? data : { repeated: Array.from({ length: times }, () => data) });
    }),
    { numRuns: shortOrLong(200, 5_000) },
  );

describe('sealed data', () => {
  it('is compressed with a dictionary that never changes', () => {
    expect(createHash('sha256').update(dictionary).digest('hex')).to.equal(
      '72046c6f89dcb9d8166fa6788b621da0a5bc860d8506517a2989b6d33d68bd5e',
    );
    for (const { sealed, data } of storedForms) expect(openText(sealed, key, event)).to.deep.equal(data);
  });

  it('can be read back unchanged, whatever its content, and by no other key', () => {
    forAnyData((data) => {
      const text = sealText(data, key, event);
      expect(JSON.stringify(openText(text, key, event))).to.equal(JSON.stringify(data));
      expect(openText(text, randomBytes(32), event)).to.equal(null);
    });
  });

  it('can be read back if it cannot be compressed', () => {
    for (const length of [70, 91, 100, 3_000, 200_000]) {
      const data = { text: randomBytes(length).toString('base64').slice(0, length) };
      expect(openText(sealText(data, key, event), key, event)).to.deep.equal(data);
    }
  });

  it('is smaller than the event in clear from 1,000 bytes on', () => {
    const longer = { ...matched, changes: [...matched.changes, ...matched.changes, ...matched.changes] };
    expect(sealText(longer, key, event).length).to.be.lessThan(lengthOf(longer) * 0.3);
    expect(sealText(matched, key, event).length).to.be.within(lengthOf(matched), lengthOf(matched) * 1.5);
  });

  it('expands at most twelvefold', () => {
    for (const length of [100, 4_000, 100_000, 2_000_000]) {
      const data = { text: 'a'.repeat(length) };
      const text = sealText(data, key, event);
      expect(lengthOf(data)).to.be.at.most(12 * text.length);
      expect(openText(text, key, event)).to.deep.equal(data);
    }
  });

  it('can be opened only for its own event, and completely: every changed byte is noticed', () => {
    for (const { sealed } of storedForms) {
      const bytes = Buffer.from(sealed, 'base64');
      expect(openText('', key, event)).to.equal(null);
      for (const other of [{ stream: 'video-w' }, { type: 'VideoRegistered.v1' }, { id: 'another' }])
        expect(openText(sealed, key, { ...event, ...other })).to.equal(null);
      for (let length = 0; length < bytes.length; length += 1)
        expect(openText(bytes.subarray(0, length).toString('base64'), key, event)).to.equal(null);
      for (let place = 0; place < bytes.length; place += 1) {
        const changed = Buffer.from(bytes);
        changed[place] = (changed[place] ?? 0) ^ 1;
        expect(openText(changed.toString('base64'), key, event)).to.equal(null);
      }
    }
  });

  it('is told from data in clear', () => {
    expect(SealedData.is({ sealed: 'a', key: 'video-v:1', v: 3 })).to.equal(true);
    for (const other of [null, [], 'a', {}, { sealed: 'a', key: 1, v: 3 }, { sealed: 'a', v: 1 }, { title: 'a' }])
      expect(SealedData.is(other)).to.equal(false);
  });
});
