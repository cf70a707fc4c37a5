import { expect } from 'chai';
import { laterThan, readTimestamp, secondsAfter, secondsBetween } from '../../../domain/kernel/timestamp.js';
import { at } from '../../support/values.js';

describe('a time as it is written', () => {
  it('is read in any offset and precision, and a date as its start in UTC', () => {
    const written = {
      '2026-01-02T03:04:05.678Z': '2026-01-02T03:04:05.678Z',
      '2026-01-02T03:04:05Z': '2026-01-02T03:04:05.000Z',
      '2026-01-02t03:04:05.6789z': '2026-01-02T03:04:05.678Z',
      '2026-01-02 03:04:05+05:30': '2026-01-01T21:34:05.000Z',
      '2026-01-02T03:04:05-00:00': '2026-01-02T03:04:05.000Z',
      '2026-01-02T03:04Z': '2026-01-02T03:04:00.000Z',
      '2026-01-02T03:04+01:00': '2026-01-02T02:04:00.000Z',
      '2024-02-29': '2024-02-29T00:00:00.000Z',
    };
    for (const [text, time] of Object.entries(written)) expect(readTimestamp(text), text).to.equal(time);
  });

  it('is invalid if there is no such time or the offset is missing', () => {
    const others = [
      '',
      'now',
      '0',
      '2026',
      '2026-02-30',
      '2026-02-30T00:00:00Z',
      '2025-02-29',
      '2026-00-01',
      '2026-13-01',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-01-01T00:00:61Z',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00:00+24:00',
      '2026-01-01T00:00',
      '2026-01-01T00Z',
      '2026-01-01T00:00.5Z',
      '9999-12-31T23:59:59-01:00',
      '0000-01-01T00:00:00+01:00',
      ' 2026-01-01',
      '2026-01-01T00:00:00Z ',
    ];
    for (const text of others) expect(readTimestamp(text), text).to.equal(null);
  });
});

describe('times', () => {
  it('are so many seconds apart', () => {
    expect([secondsBetween(at(1), at(2.5)), secondsBetween(at(2), at(1))]).to.deep.equal([1.5, -1]);
    expect([secondsAfter(at(0), 1.5), secondsAfter(at(9), -9), secondsAfter(at(0), 0.0004)]).to.deep.equal(
      [1.5, 0, 0].map(at),
    );
    expect(() => secondsAfter(at(0), 1e12)).to.throw(RangeError);
  });

  it('are later than all earlier ones', () => {
    for (const earlier of [[], [null], [null, at(3), at(4), null]]) expect(laterThan(at(5), earlier)).to.equal(at(5));
    expect(laterThan(at(5), [at(4), at(7), null, at(6)])).to.equal(at(7.001));
    expect(laterThan(at(5), [null, at(5)])).to.equal(at(5.001));
  });
});
