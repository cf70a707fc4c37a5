import { expect } from 'chai';
import { unsentAnswers } from '../../../adapters/http/unsent-answers.js';

describe('answers that wait for their clients', () => {
  const opened = (limits: { total: number; each: number }) => {
    const answers = unsentAnswers(limits);
    const cut: string[] = [];
    const open = (name: string, account = 'a') => answers.open(account, () => void cut.push(name));
    return { open, cut };
  };

  it('are cut off where an account holds too much: the one of which nothing was taken for longest', () => {
    const { open, cut } = opened({ total: 1_000, each: 100 });
    const [one, two, three] = [open('one'), open('two'), open('three')];
    one.hold(40);
    two.hold(40);
    one.taken(10);
    three.hold(20);
    expect(cut).to.deep.equal([]);
    three.hold(40);
    expect(cut).to.deep.equal(['two']);
  });

  it('leave others alone, who hold little', () => {
    const { open, cut } = opened({ total: 150, each: 100 });
    open('other', 'b').hold(50);
    const [one, two] = [open('one'), open('two')];
    one.hold(90);
    two.hold(60);
    expect(cut).to.deep.equal(['one']);
    open('third', 'c').hold(60);
    expect(cut).to.deep.equal(['one', 'two']);
  });

  it('may be larger than all that there is, when they are alone', () => {
    const { open, cut } = opened({ total: 100, each: 50 });
    open('large').hold(500);
    expect(cut).to.deep.equal([]);
  });

  it('hold nothing once they have ended', () => {
    const { open, cut } = opened({ total: 100, each: 100 });
    for (let at = 0; at < 10; at += 1) {
      const answer = open('short');
      answer.hold(60);
      answer.taken(20);
      answer.end();
      answer.end();
    }
    expect(cut).to.deep.equal([]);
  });
});
