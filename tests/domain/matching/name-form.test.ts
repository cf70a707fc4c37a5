import { expect } from 'chai';
import * as fc from 'fast-check';
import { foldName, isSameName, nameForm } from '../../../domain/matching/name-form.js';

const isSame = (a: string, b: string): boolean => {
  const [one, other] = [nameForm(a), nameForm(b)];
  return one !== null && other !== null && isSameName(one, other);
};

describe('matching: forms of a name', () => {
  it('a name stays the same with accents, case, punctuation, titles, degrees or another order', () => {
    const pairs = [
      ['Smith, Dr. John', 'John Smith'],
      ['José  Ángel-Ruiz', 'jose angel ruiz'],
      ['Prof. Dr. Jürgen Groß', 'GROSS Jurgen'],
      ['Smith, John, PhD', 'Mr. John Smith'],
      ['Søren Łukasz', 'soren lukasz'],
      ['President Mary Robinson', 'Mary Robinson'],
      ['Conan O’Brien', "conan o'brien"],
      ['Ｊｏｈｎ Ｓｍｉｔｈ', 'john smith'],
      ['Dr Smith', 'Smith'],
      ['ΟΔΥΣΣΕΑΣ ΠΑΠΑΣ', 'Οδυσσέας Παπάς'],
    ] as const;
    pairs.forEach(([a, b]) => expect(isSame(a, b), `${a} = ${b}`).to.equal(true));
  });

  it('other names are not the same', () => {
    const pairs = [
      ['John Smith', 'John Smythe'],
      ['John Smith Jr.', 'John Smith Sr.'],
      ['Mr Smith', 'Mrs Smith'],
      ['Justice Smith', 'Smith'],
      ['Judge Reinhold', 'Reinhold'],
      ['राम', 'रम'],
      ['がき', 'かき'],
      ['Ann Lee', 'Ann'],
    ] as const;
    pairs.forEach(([a, b]) => expect(isSame(a, b), `${a} ≠ ${b}`).to.equal(false));
  });

  it('texts that name nobody have no form', () => {
    const nobody = [
      'Face 3',
      'SPEAKER_01',
      'Speaker #2',
      'ＳＰＥＡＫＥＲ １',
      'Dr. Unknown',
      'Prof.',
      'Mr',
      'A',
      '12',
      '...',
      ' ',
    ];
    nobody.forEach((name) => expect(nameForm(name), name).to.equal(null));
    expect(nameForm(null)).to.equal(null);
  });

  it('normalizing twice changes nothing more', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(foldName(foldName(name))).to.equal(foldName(name));
      }),
      { examples: [['ŉ'], ['O＇Hara']] },
    ));

  it('the order of its words does not matter', () =>
    fc.assert(
      fc.property(fc.shuffledSubarray(['zoe', 'ann', 'lee', 'ruiz', 'garcia']), (words) => {
        expect(nameForm(words.join(' '))?.words).to.equal(nameForm(words.toSorted().join(' '))?.words);
      }),
    ));
});
