import { expect } from 'chai';
import { nextCreditCheck, secondsLeft } from '../../domain/realtime-session/step.js';
import { credits } from '../support/values.js';

const use = (price: string, unbooked_ms = 0) => ({ price_per_minute: credits(price), unbooked_ms });

describe('how long credit lasts', () => {
  it('is what the credit buys, to the millisecond', () => {
    expect(secondsLeft([use('6')], credits('1'))).to.equal(10);
    expect(secondsLeft([use('0.7')], credits('0.1'))).to.equal(8.571);
    expect(secondsLeft([use('60'), use('60')], credits('1'))).to.equal(0.5);
  });
  it('is reduced by use that is not charged', () => {
    expect(secondsLeft([use('60', 250), use('60', 500)], credits('1'))).to.equal(0.125);
    expect(secondsLeft([use('60', 999)], credits('1'))).to.equal(0.001);
  });
  it('is zero when used up, and infinite when nothing costs', () => {
    expect(secondsLeft([use('60', 1_000)], credits('1'))).to.equal(0);
    expect(secondsLeft([use('60', 5_000)], credits('1'))).to.equal(0);
    expect(secondsLeft([use('0', 5_000)], credits('1'))).to.equal(Number.POSITIVE_INFINITY);
    expect(secondsLeft([], credits('1'))).to.equal(Number.POSITIVE_INFINITY);
  });
});

describe('the next credit check', () => {
  it('happens when the credit becomes low, at most an hour later', () => {
    expect(nextCreditCheck(100)).to.deep.equal({ after_seconds: 40.005, books: false });
    expect(nextCreditCheck(60)).to.deep.equal({ after_seconds: 0.25, books: false });
    expect(nextCreditCheck(100_000)).to.deep.equal({ after_seconds: 3_600, books: false });
  });
  it('happens when the credit is used up, after charging everything, once it is low', () => {
    expect(nextCreditCheck(59)).to.deep.equal({ after_seconds: 59.005, books: true });
    expect(nextCreditCheck(0)).to.deep.equal({ after_seconds: 0.25, books: true });
  });
  it('never happens when nothing costs', () => expect(nextCreditCheck(Number.POSITIVE_INFINITY)).to.equal(null));
});
