import { expect } from 'chai';
import { blockSize, byteBudget } from '../../../adapters/http/bodies/byte-budget.js';

const limits = {
  small: { total: 1_000, perAccount: 600 },
  large: { total: 4 * blockSize, perAccount: 3 * blockSize },
};

describe('the memory budget of request bodies', () => {
  it('keeps claimed memory until it is released', () => {
    const budget = byteBudget(limits);
    const [one, two] = [budget.open('a'), budget.open('b')];
    expect([one.growTo(500), two.growTo(500), two.growTo(501)]).to.deep.equal([true, true, false]);
    one.release();
    one.release();
    expect([two.growTo(501), budget.open('c').growTo(500), budget.open('c').growTo(499)]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('leaves memory for other accounts, however much one claims', () => {
    const budget = byteBudget(limits);
    expect([budget.open('a').growTo(400), budget.open('a').growTo(201), budget.open('b').growTo(600)]).to.deep.equal([
      true,
      false,
      true,
    ]);
    const [greedy, other] = [budget.open('a'), budget.open('b')];
    const taken = [1, 2, 3, 4].map(() => greedy.nextBlock() !== null);
    expect(taken).to.deep.equal([true, true, true, false]);
    expect([other.nextBlock() !== null, other.nextBlock()]).to.deep.equal([true, null]);
  });

  it('reuses released blocks, and never shares a block', () => {
    const budget = byteBudget(limits);
    const [one, two] = [budget.open('a'), budget.open('b')];
    const first = one.nextBlock();
    expect(two.nextBlock()).to.not.equal(first);
    one.release();
    expect(two.nextBlock()).to.equal(first);
  });

  it('counts a body that has become large only as a large one', () => {
    const budget = byteBudget(limits);
    const body = budget.open('a');
    body.growTo(600);
    body.nextBlock();
    expect(budget.open('a').growTo(600)).to.equal(true);
  });
});
