import { expect } from 'chai';
import { wordFinder, foldedText, foldedWords } from '../../../domain/grounding/folded-words.js';

describe('grounding: words', () => {
  const place = (pattern: string, text: string) => wordFinder(foldedText(pattern).split(' '))(text.split(' '));

  it('are found in sequence, at the first occurrence', () => {
    const cases = [
      ['b c', 'a b c b c', 1],
      ['a', 'a', 0],
      ['c', 'a b c', 2],
      ['a c', 'a b c', null],
      ['a b c', 'a b', null],
      ['d', 'a b c', null],
    ] as const;
    for (const [pattern, text, at] of cases) expect(place(pattern, text), `${pattern} in ${text}`).to.equal(at);
  });

  it('are found after a repeated prefix', () => {
    const cases = [
      ['a a b', 'a a a b', 1],
      ['a b a c', 'a b a b a c', 2],
      ['a b a b c', 'a b a b a b c', 2],
      ['a a b a a c', 'a a b a a b a a c', 3],
      ['a b c a b d', 'a b c a b c a b d', 3],
      ['a a a', 'a a b a a a', 3],
      ['a b a a', 'a b a b a a', 2],
    ] as const;
    for (const [pattern, text, at] of cases) expect(place(pattern, text), `${pattern} in ${text}`).to.equal(at);
  });

  it('are not found if the pattern is empty', () => {
    expect(wordFinder([])(['a'])).to.equal(null);
    expect(wordFinder([])([])).to.equal(null);
    expect(wordFinder(['a'])([])).to.equal(null);
  });

  it('are normalized with their ranges in the text', () => {
    expect(foldedWords('I’m Ada')).to.deep.equal([
      { word: 'im', start: 0, end: 3 },
      { word: 'ada', start: 4, end: 7 },
    ]);
    expect(foldedWords(' … ')).to.deep.equal([]);
  });

  it('differ by letters, not by spelling variants', () => {
    const cases = [
      ['Straße', 'strasse'],
      ['ΟΔΟΣ', 'οδος'],
      ['ﬁne', 'fine'],
      ['A\u00adda', 'ada'],
      ['´', ''],
      ['王明', '王 明'],
      ['Ⅷ', 'viii'],
    ] as const;
    for (const [text, folded] of cases) expect(foldedText(text), text).to.equal(folded);
  });
});
