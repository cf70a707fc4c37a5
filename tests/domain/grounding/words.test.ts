import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  wordFinder,
  foldedText,
  foldedWords,
  replaceLookalikes,
  mixesScripts,
} from '../../../domain/grounding/folded-words.js';
import { isPersonName, tidyName } from '../../../domain/grounding/person-name.js';
import { about1, grounding, said } from './cases.js';

describe('grounding: words', () => {
  it('are found in sequence, at the first occurrence', () => {
    const words = (least: number) => fc.array(fc.constantFrom('a', 'b'), { minLength: least, maxLength: 12 });
    fc.assert(
      fc.property(words(1), words(0), (pattern, text) => {
        const first = text.findIndex((_, at) => pattern.every((word, n) => text[at + n] === word));
        expect(wordFinder(pattern)(text)).to.equal(first === -1 ? null : first);
      }),
      { numRuns: 1_000 },
    );
  });

  it('are not found if the pattern is empty', () => {
    for (const text of [['a'], []]) expect(wordFinder([])(text)).to.equal(null);
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

describe('grounding: a name', () => {
  it('is normalized', () => {
    const cases = [
      ['  Ada \n  Lovelace ', 'Ada Lovelace'],
      ['A\u200bd\u00ada', 'Ada'],
      ['Ａｄａ', 'Ada'],
      ['Ada\u00a0Lovelace', 'Ada Lovelace'],
    ] as const;
    for (const [name, tidied] of cases) expect(tidyName(name)).to.equal(tidied);
  });

  it('has at most a hundred characters and ten words, and letters', () => {
    const [ten, eleven] = [10, 11].map((count) => Array.from({ length: count }, () => 'Ada').join(' '));
    expect([ten, eleven].map((name) => isPersonName(name ?? ''))).to.deep.equal([true, false]);
    expect([`A${'b'.repeat(99)}`, `A${'b'.repeat(100)}`].map(isPersonName)).to.deep.equal([true, false]);
    expect(["''", '··', 'Ada \ud800'].map(isPersonName)).to.deep.equal([false, false, false]);
  });

  it('is not only crosses', () => {
    for (const name of ['xx', 'XXX']) expect(isPersonName(name), name).to.equal(false);
    for (const name of ['xx max', 'max', 'xavier', 'marx']) expect(isPersonName(name), name).to.equal(true);
  });

  it('may contain a capitalized function word', () => {
    for (const name of ['An Nguyen', 'Nguyen An']) expect(isPersonName(name), name).to.equal(true);
    for (const name of ['an Nguyen', 'Nguyen an']) expect(isPersonName(name), name).to.equal(false);
  });

  it('is in one script, or in scripts that occur together', () => {
    const kept = ['ada', 'ада', 'αδα', 'ⲁⲇⲁ', 'ադա', 'ადა', 'ᎠᏓ', 'ꓮꓓꓮ', '𐌰𐌳𐌰', '𐐀𐐂'].concat(
      ['ada 王', 'ada ひ', 'ada カ', 'ada 王ひカ', 'ada ㄅ王', 'ada 김王', '王明', 'ひカ', '김', 'ʼada'],
      ['สมชาย', 'محمد', 'a·b', ''],
    );
    const mixed = [
      'adа',
      'αda',
      'αд',
      'ada ㄅひ',
      'ada 김ひ',
      'ada 김ㄅ',
      'ada สม',
      'ада 王',
      'ada د',
      'د ada',
      '1аa2',
    ];
    for (const name of kept) expect(mixesScripts(name), name).to.equal(false);
    for (const name of mixed) expect(mixesScripts(name), name).to.equal(true);
    for (const letter of ['а', 'α', 'ⲁ', 'ա', 'ა', 'Ꭰ', 'ꓮ', '𐌰', '𐐀'])
      for (const name of [`a${letter}`, `${letter}a`, `${letter}王`, `王${letter}`])
        expect(mixesScripts(name), name).to.equal(true);
  });

  it('equals another with look-alike letters', () => {
    expect(replaceLookalikes('аdа')).to.equal('ada');
    expect(replaceLookalikes('zoe')).to.equal('zoe');
    expect(replaceLookalikes('рорω')).to.equal('popω');
  });
});

describe('grounding: proposals of a model', () => {
  it('may have blanks around the quote', () => {
    const own = said('0: Yes?', '1: Hi, I am Ada.');
    expect(grounding(own, [about1({ name: ' Ada ', quote: ' I am Ada. ' })])[0]).to.include({
      name: 'Ada',
      quote: 'I am Ada.',
    });
    const roles = grounding(own, [about1({ role: ' AGENT ', role_quote: '  Hi, ' })], { infer_roles: true });
    expect(roles[0]).to.include({ role: 'agent', role_quote: 'Hi,' });
  });
});
