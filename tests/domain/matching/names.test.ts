import { expect } from 'chai';
import * as fc from 'fast-check';
import { matchByName } from '../../../domain/matching/name-channel.js';
import { foldName, isSameName, nameForm } from '../../../domain/matching/name-form.js';
import type { Interval } from '../../../domain/kernel/interval.js';
import { matchByCaption, otherNameIn } from '../../../domain/matching/caption-channel.js';
import { matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { face, speaker, spans } from './cases.js';

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

const seen = spans([0, 40]);
const annTurns = spans([0, 4], [10, 14], [20, 24]);
const bobTurns = spans([5, 9], [15, 19], [25, 29]);
const captions = (...texts: readonly string[]) => texts.map((text) => ({ start: 0, end: 5, text }));
const captioned = (id: number, texts: readonly string[], name: string | null = null) =>
  face(id, seen, { captions: captions(...texts), name });

describe('matching: captions', () => {
  /** The faces, by number from 0, that captions link with the speakers Ann Lee (0) and Bob Ray (1), or others. */
  const links = (faces: readonly (readonly string[])[], names: readonly (string | null)[] = ['Ann Lee', 'Bob Ray']) =>
    matchByCaption(
      faces.map((texts, id) => captioned(id, texts)),
      names.map((name, id) => speaker(id, id === 0 ? annTurns : bobTurns, name)),
    ).map(({ row, column }) => [column, row]);

  it('link a face with the speaker whose full name is in them, as a line or before a comma', () => {
    expect(links([['ANN LEE\nHead of Research'], []])).to.deep.equal([[0, 0]]);
    expect(links([['Ann Lee, NASA'], ['Bob Ray – host', 'LIVE']])).to.deep.equal([
      [0, 0],
      [1, 1],
    ]);
    expect(links([['王明']], ['王明'])).to.deep.equal([[0, 0]]);
  });

  it('link nobody if they only mention somebody, or a part of a name', () => {
    expect(links([['Interview with Ann Lee'], ['LIVE']])).to.deep.equal([]);
    for (const short of ['Ann', '王', '王a', 'a王明', '王明a', 'Speaker 7', 'Face 2'])
      expect(links([[short]], [short]), short).to.deep.equal([]);
    expect(links([['Ann']])).to.deep.equal([]);
    expect(links([['Ann Lee']], [null])).to.deep.equal([]);
  });

  it('link nobody if a face has two names, or two have one', () => {
    expect(links([['Ann Lee', 'Bob Ray'], []])).to.deep.equal([]);
    expect(links([['Dr. Ann Lee | NASA'], ['Lee, Ann']])).to.deep.equal([]);
    expect(links([['Ann Lee']], ['Ann Lee', 'ann lee'])).to.deep.equal([]);
  });

  it('change nothing about a face with a name, or about a name that a face has', () => {
    const faces = [captioned(1, ['Ann Lee'], 'Cy Dow'), captioned(2, ['Eve Fox']), captioned(3, [], 'Eve Fox')];
    expect(matchByCaption(faces, [speaker(7, annTurns, 'Ann Lee'), speaker(8, bobTurns, 'Eve Fox')])).to.deep.equal([]);
  });

  it('count from one second together, or if a side has no times', () => {
    const link = (turns: readonly Interval[], tracks: readonly Interval[]) =>
      matchByCaption([{ name: null, tracks, captions: [{ text: 'Ann Lee' }] }], [{ name: 'Ann Lee', turns }]).length;
    expect(link(spans([0, 4]), spans([3, 9]))).to.equal(1);
    expect(link(spans([0, 4]), spans([3.01, 9]))).to.equal(0);
    expect(link(spans([0, 4], [8, 9]), spans([3.5, 8.5]))).to.equal(1);
    expect(link([], spans([0, 9]))).to.equal(1);
    expect(link(spans([0, 9]), [])).to.equal(1);
  });

  it('are evidence, the first in alphabetical order', () => {
    const { matches } = matchSpeakersToFaces({
      faces: [captioned(1, ['LIVE', 'Ann Lee, NASA', 'ANN LEE'])],
      speakers: [speaker(7, annTurns, 'Ann Lee')],
      target_speaker_ids: null,
    });
    expect(matches[0]).to.deep.include({ channel: 'name', accuracy: 0.95 });
    expect(matches[0]?.evidence).to.deep.include({ caption: 'ANN LEE', seconds_together: 12 });
  });
});

describe('matching: another name in the captions of a face', () => {
  it('is reported if its speaker has a name that no caption contains', () => {
    const other = (name: string | null, ...texts: readonly string[]) =>
      matchSpeakersToFaces({
        faces: [face(1, annTurns, { captions: captions(...texts) })],
        speakers: [speaker(7, annTurns, name)],
        target_speaker_ids: null,
      }).matches[0]?.evidence['contradicting_caption'];
    expect(other('Ann Lee', 'Dr. Bob Ray, NASA', 'LIVE')).to.equal('Dr. Bob Ray');
    expect(other('Ann Lee', 'Cy Dow', 'Bob Ray | Head of Research', 'Cy Dow')).to.equal('Bob Ray');
    for (const agrees of ['Ann Lee', 'LEE, Ann', 'Ann Lee - host'])
      expect(other('Ann Lee', agrees, 'Bob Ray'), agrees).to.equal(undefined);
    for (const nameless of [null, 'Speaker 1']) expect(other(nameless, 'Bob Ray')).to.equal(undefined);
  });

  it('is two to four capitalized words that may be a person', () => {
    const other = (text: string) => otherNameIn([{ text }], 'Ann Lee');
    for (const name of ['Bob Ray', 'Bob  Ray', "Bob Conan O'Brien-Ray", 'Bob A. B. Ray', '  Bob Van '])
      expect(other(name), name).to.equal(name.trim());
    for (const none of ['Bob', 'bob Ray', 'Bob ray', 'with Bob Ray', 'Bob Ray speaks', 'Bob A B C Ray', 'x!Bob Ray'])
      expect(other(none), none).to.equal(null);
    for (const nobody of ['breaking news', 'Chief Executive Officer', 'Head of Research', 'Channel 4', ''])
      expect(other(nobody), nobody).to.equal(null);
  });
});
