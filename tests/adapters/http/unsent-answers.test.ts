import { expect } from 'chai';
import { unsentAnswers } from '../../../adapters/http/sending/unsent-answers.js';

describe('limits of unsent answers', () => {
  const opened = (limits: { total: number; perAccount: number }) => {
    const answers = unsentAnswers(limits);
    const cut: string[] = [];
    const open = (name: string, account = 'a') => answers.open(account, () => void cut.push(name));
    return { open, cut };
  };

  it('cut off the answer without progress for longest, if an account exceeds its limit', () => {
    const { open, cut } = opened({ total: 1_000, perAccount: 100 });
    const [one, two, three] = [open('one'), open('two'), open('three')];
    one.add(40);
    two.add(40);
    one.sent(10);
    three.add(20);
    expect(cut).to.deep.equal([]);
    three.add(40);
    expect(cut).to.deep.equal(['two']);
  });

  it('do not cut off answers of accounts that hold little', () => {
    const { open, cut } = opened({ total: 150, perAccount: 100 });
    open('other', 'b').add(50);
    const [one, two] = [open('one'), open('two')];
    one.add(90);
    two.add(60);
    expect(cut).to.deep.equal(['one']);
    open('third', 'c').add(60);
    expect(cut).to.deep.equal(['one', 'two']);
  });

  it('do not cut off a single answer', () => {
    const { open, cut } = opened({ total: 100, perAccount: 50 });
    open('large').add(500);
    expect(cut).to.deep.equal([]);
  });

  it('no longer count an answer that has ended', () => {
    const { open, cut } = opened({ total: 100, perAccount: 100 });
    for (let at = 0; at < 10; at += 1) {
      const answer = open('short');
      answer.add(60);
      answer.sent(20);
      answer.end();
      answer.end();
    }
    expect(cut).to.deep.equal([]);
  });
});
