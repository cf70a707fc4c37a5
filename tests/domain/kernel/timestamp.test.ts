import { expect } from 'chai';
import { readTimestamp } from '../../../domain/kernel/timestamp.js';

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
