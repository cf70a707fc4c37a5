import { expect } from 'chai';
import * as fc from 'fast-check';
import { matchByName } from '../../../domain/matching/name-channel.js';
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

  it('titles of a person give a gender; offices are kept as names, degrees only as the first part', () => {
    const cases = [
      ['Mr Ann Lee', 'ann lee', 'man'],
      ['Mrs. Ann Lee', 'ann lee', 'woman'],
      ['Dr Mrs Ann Lee', 'ann lee', 'woman'],
      ['Lee, Mr Ann', 'ann lee', 'man'],
      ['Dr Ann Lee', 'ann lee', null],
      ['Judge Ann Lee', 'ann lee', null],
      ['Captain Sister Ann Lee', 'ann lee', null],
      ['Judge Lee', 'judge lee', null],
      ['Dr Captain Judge Lee', 'judge lee', null],
      ['Ann Lee PhD', 'ann lee', null],
      ['Ann Lee, , MBA', 'ann lee', null],
      ['MD, Ann Lee', 'ann lee md', null],
      ['Ann PhD Lee', 'ann lee phd', null],
      ['x, y', 'x y', null],
    ] as const;
    for (const [name, words, addressedAs] of cases) expect(nameForm(name), name).to.deep.equal({ words, addressedAs });
  });
});

describe('matching: equal names', () => {
  type Names = readonly (string | null)[];
  const named = (names: Names) => names.map((name) => ({ name }));
  /** Names of faces, names of speakers, and the links between them: face and speaker, by index. */
  const link = (...cases: readonly (readonly [faces: Names, speakers: Names, links: string])[]): void => {
    for (const [faces, speakers, expected] of cases) {
      const links = matchByName(named(faces), named(speakers)).map(({ row, column }) => `${column}-${row}`);
      expect(links.join(' '), JSON.stringify([faces, speakers])).to.equal(expected);
    }
  };

  it('link a face and a speaker that nobody else shares them with, ordered by speaker', () =>
    link(
      [[null, 'José  Ángel-Ruiz'], ['jose angel ruiz', 'Ann Lee'], '1-0'],
      [['Smith, Dr. John', 'Ann Lee'], ['Speaker 1', 'JOHN SMITH'], '0-1'],
      [['Анна', '李娜'], ['李娜', 'Анна'], '1-0 0-1'],
      [['Ann Lee', 'ANN LEE'], ['Ann Lee'], ''],
      [['Ann Lee'], ['Ann Lee', 'ann lee'], ''],
      [['Ann Lee', 'Ann Lee', 'Ann Lee'], ['Ann Lee'], ''],
    ));

  it('of a couple are told apart by titles', () =>
    link(
      [['Mr Smith', 'Mrs Smith'], ['Mrs. Smith', 'Mr. Smith'], '1-0 0-1'],
      [['Mr Smith', 'Mrs Smith'], ['Smith'], ''],
      [['Mr Smith'], ['Mrs Smith'], ''],
      [['Mr Lee', 'Mr Lee', 'Mr Lee', 'Mrs Lee'], ['Mrs Lee', 'Mr Lee'], '3-0'],
      [['Lee', 'Mr Lee'], ['Mrs Lee'], '0-0'],
      [['Mr Lee', 'Mrs Lee'], ['Mrs Lee', 'Lee'], ''],
    ));
});
