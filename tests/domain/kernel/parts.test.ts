import { expect } from 'chai';
import * as t from 'io-ts';
import {
  add,
  addMillionths,
  CreditsNumber,
  creditsText,
  isWithinRange,
  largestCredits,
  negate,
  priceOf,
  zeroCredits,
} from '../../../domain/kernel/credits.js';
import { editOf } from '../../../domain/kernel/edit.js';
import { erasedBy, Erasure, refusalOf } from '../../../domain/kernel/erased.js';
import { nullable, Actor, EventMetadata, isServerRecord } from '../../../domain/kernel/recorded-event.js';
import { fieldPath } from '../../../domain/kernel/field-path.js';
import { areSpeakersKnown, MediaKind, ProcessingStatus, SpeakerRole } from '../../../domain/kernel/media.js';
import { laterThan, readTimestamp } from '../../../domain/kernel/timestamp.js';
import { credits } from '../../support/credits.js';
import { accountId, at } from '../../support/values.js';

describe('kernel: credits', () => {
  it('are between minus and plus a billion', () => {
    const millionth = credits('0.000001');
    expect(isWithinRange(largestCredits)).to.equal(true);
    expect(isWithinRange(negate(largestCredits))).to.equal(true);
    expect(isWithinRange(add(largestCredits, millionth))).to.equal(false);
    expect(isWithinRange(negate(add(largestCredits, millionth)))).to.equal(false);
    expect(isWithinRange(zeroCredits)).to.equal(true);
  });

  it('are read only from JSON numbers', () => {
    expect(CreditsNumber.decode(1.5)).to.deep.include({ _tag: 'Right', right: credits('1.5') });
    for (const value of ['1.5', 1n, null, 1e-7, Number.NaN]) expect(CreditsNumber.decode(value)._tag).to.equal('Left');
    expect(CreditsNumber.is(credits('1'))).to.equal(true);
    expect([1, '1', null].map(CreditsNumber.is)).to.deep.equal([false, false, false]);
    expect(CreditsNumber.encode(credits('-2.25'))).to.equal(-2.25);
  });

  it('are priced by whole numbers of units, at least one', () => {
    expect(priceOf(credits('3'), 2, 1)).to.equal(credits('6'));
    expect(priceOf(credits('1'), 0, 1)).to.equal(zeroCredits);
    expect(priceOf(credits('0.000001'), 1, 2)).to.equal(credits('0.000001'));
    expect(priceOf(credits('-0.000001'), 1, 2)).to.equal(zeroCredits);
    expect(addMillionths(credits('1'), 5n)).to.equal(credits('1.000005'));
    for (const [count, units] of [
      [1.5, 1],
      [1, 1.5],
      [1, 0],
      [1, -1],
      [2 ** 53, 1],
      [Number.NaN, 1],
      [1, Number.NaN],
    ] as const)
      expect(() => priceOf(credits('1'), count, units), `${count}, ${units}`).to.throw(
        RangeError,
        `${count}, ${units}`,
      );
  });

  it('have one string for each amount', () => {
    for (const text of ['0', '-0.05', '10', '0.000001', '-1', '123.45'])
      expect(creditsText(credits(text))).to.equal(text);
  });
});

describe('kernel: media and names', () => {
  it('have the states, kinds and roles of the specification', () => {
    expect(Object.keys(ProcessingStatus.keys)).to.deep.equal(['queue', 'processing', 'completed', 'failed']);
    expect(Object.keys(MediaKind.keys)).to.deep.equal(['upload', 'meeting']);
    expect(Object.keys(SpeakerRole.keys)).to.deep.equal(['agent', 'customer']);
  });

  it('are known once an analysis is completed or has found a speaker', () => {
    expect(areSpeakersKnown('completed', 0)).to.equal(true);
    expect(areSpeakersKnown('processing', 1)).to.equal(true);
    expect(areSpeakersKnown('processing', 0)).to.equal(false);
  });
});

describe('kernel: an erased medium', () => {
  const erasure = { medium: 'video', owner_id: accountId('a'), linked: null, at: at(0) } as const;

  it('is recognised by its last event', () => {
    expect(Erasure.is(erasure)).to.equal(true);
    expect(Erasure.is({ ...erasure, medium: 'realtime_session', linked: 'a1' })).to.equal(true);
    for (const wrong of [{}, { ...erasure, medium: 'account' }, { ...erasure, linked: 1 }, { ...erasure, at: 'now' }])
      expect(Erasure.is(wrong), JSON.stringify(wrong)).to.equal(false);
  });

  it('is refused as erased', () => {
    expect(erasedBy(erasure)).to.deep.equal({ _tag: 'Erased', owner_id: 'a', erased_at: at(0) });
    expect(refusalOf(erasedBy(erasure))).to.deep.equal({ _tag: 'MediumErased', erased_at: at(0) });
  });
});

describe('kernel: codecs', () => {
  const pathsOf = (codec: t.Mixed, value: unknown): readonly string[] => {
    const decoded = codec.decode(value);
    return decoded._tag === 'Left' ? decoded.left.map(({ context }) => fieldPath(context)) : [];
  };

  it('report where a value is invalid', () => {
    const codec = t.type({ rows: t.array(t.type({ id: t.number })), '1a': t.string, a1: t.string, 12: t.string });
    const wrong = {
      rows: Array.from({ length: 12 }, (_, id) => ({ id: id === 11 ? 'x' : id })),
      '1a': 1,
      a1: 1,
      12: 1,
    };
    expect(pathsOf(codec, wrong)).to.have.members(['rows[11].id', '1a', 'a1', '[12]']);
    expect(pathsOf(codec, null)).to.deep.equal(['']);
    expect(pathsOf(t.array(t.number), ['x'])).to.deep.equal(['[0]']);
    expect(pathsOf(t.intersection([t.type({ a: t.string }), t.type({ b: t.string })]), { a: 1, b: 'x' })).to.deep.equal(
      ['a'],
    );
    expect(pathsOf(nullable(t.type({ a: t.string })), { a: 1 })).to.deep.equal(['a', '']);
  });

  it('accept null, both sides of an edit, and the metadata of an event', () => {
    expect([null, 'a', 1, undefined].map(nullable(t.string).is)).to.deep.equal([true, true, false, false]);
    const edit = editOf(t.string);
    expect([{ before: 'a', after: 'b' }, { before: 'a' }, { after: 'b' }, {}].map(edit.is)).to.deep.equal([
      true,
      false,
      false,
      false,
    ]);
    const actor = { key_id: 'k', account_id: 'a' };
    expect([actor, { key_id: 'k' }, { account_id: 'a' }].map(Actor.is)).to.deep.equal([true, false, false]);
    const metadata = { actor, correlation_id: 'c', causation_id: 'c', schema_version: 1, recorded_at: at(0) };
    expect(EventMetadata.is(metadata)).to.equal(true);
    for (const name of Object.keys(metadata))
      expect(EventMetadata.is({ ...metadata, [name]: null }), name).to.equal(false);
  });

  it('recognise system streams by their first character', () =>
    expect(['$metadata', 'Price$', '', 'VideoRegistered.v1'].map((type) => isServerRecord({ type }))).to.deep.equal([
      true,
      false,
      false,
      false,
    ]));
});

describe('kernel: times', () => {
  it('are read with lower-case letters and blanks, for valid dates only', () => {
    expect(readTimestamp('2026-01-02t03:04:05z')).to.equal('2026-01-02T03:04:05.000Z');
    expect(readTimestamp('2026-01-02 03:04:05.6+01:00')).to.equal('2026-01-02T02:04:05.600Z');
    expect(readTimestamp('2026-01-02')).to.equal('2026-01-02T00:00:00.000Z');
    for (const text of ['2026-02-30', '2026-01-02T03:04', 'yesterday', '', '2026-13-01'])
      expect(readTimestamp(text), text).to.equal(null);
  });

  it('are later than all earlier ones', () => {
    expect(laterThan(at(5), [])).to.equal(at(5));
    expect(laterThan(at(5), [null])).to.equal(at(5));
    expect(laterThan(at(5), [null, at(3), at(4), null])).to.equal(at(5));
    expect(laterThan(at(5), [at(4), at(7), null, at(6)])).to.equal(at(7.001));
    expect(laterThan(at(5), [at(5)])).to.equal(at(5.001));
    expect(laterThan(at(5), [null, at(5)])).to.equal(at(5.001));
  });
});
