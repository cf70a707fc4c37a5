import { expect } from 'chai';
import { unsentAnswers } from '../../../adapters/http/unsent-answers.js';

describe('answers that wait for their clients', () => {
  const opened = (limits: { total: number; perAccount: number }) => {
    const answers = unsentAnswers(limits);
    const cut: string[] = [];
    const open = (name: string, account = 'a') => answers.open(account, () => void cut.push(name));
    return { open, cut };
  };

  it('are cut off where an account holds too much: the one of which nothing was taken for longest', () => {
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

  it('leave others alone, who hold little', () => {
    const { open, cut } = opened({ total: 150, perAccount: 100 });
    open('other', 'b').add(50);
    const [one, two] = [open('one'), open('two')];
    one.add(90);
    two.add(60);
    expect(cut).to.deep.equal(['one']);
    open('third', 'c').add(60);
    expect(cut).to.deep.equal(['one', 'two']);
  });

  it('may be larger than all that there is, when they are alone', () => {
    const { open, cut } = opened({ total: 100, perAccount: 50 });
    open('large').add(500);
    expect(cut).to.deep.equal([]);
  });

  it('hold nothing once they have ended', () => {
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
