import { expect } from 'chai';
import { matchByCaption, otherNameIn } from '../../../domain/matching/caption-channel.js';
import { matchByName } from '../../../domain/matching/name-channel.js';
import { nameForm } from '../../../domain/matching/name-form.js';
import { face, spans, speaker } from './cases.js';

describe('matching: the form of a name', () => {
  it('records the gender given by a title', () => {
    const cases = [
      ['Mr Ann Lee', 'ann lee', 'man'],
      ['Mrs. Ann Lee', 'ann lee', 'woman'],
      ['Dr Ann Lee', 'ann lee', null],
      ['Dr Mrs Ann Lee', 'ann lee', 'woman'],
      ['Lee, Mr Ann', 'ann lee', 'man'],
      ['Lee, Ann', 'ann lee', null],
    ] as const;
    for (const [name, words, addressedAs] of cases) expect(nameForm(name), name).to.deep.equal({ words, addressedAs });
  });

  it('keeps offices only as names', () => {
    const cases = [
      ['Judge Ann Lee', 'ann lee'],
      ['Judge Lee', 'judge lee'],
      ['Captain Sister Ann Lee', 'ann lee'],
      ['Dr Judge Lee', 'judge lee'],
      ['Dr Captain Judge Lee', 'judge lee'],
    ] as const;
    for (const [name, words] of cases) expect(nameForm(name)?.words, name).to.equal(words);
  });

  it('drops degrees, unless one is the whole first part', () => {
    const cases = [
      ['Ann Lee PhD', 'ann lee'],
      ['Ann Lee, MD', 'ann lee'],
      ['Ann Lee, , MBA', 'ann lee'],
      ['MD, Ann Lee', 'ann lee md'],
      ['Ann PhD Lee', 'ann lee phd'],
    ] as const;
    for (const [name, words] of cases) expect(nameForm(name)?.words, name).to.equal(words);
    expect(['a', 'Speaker, 1', 'Face, 2', 'x, y'].map((name) => nameForm(name)?.words ?? null)).to.deep.equal([
      null,
      null,
      null,
      'x y',
    ]);
  });
});

describe('matching: equal names', () => {
  const matches = (faces: readonly (string | null)[], speakers: readonly (string | null)[]) =>
    matchByName(
      faces.map((name, id) => face(id, [], { name })),
      speakers.map((name, id) => speaker(id, [], name)),
    ).map(({ face_id, speaker_id }) => [face_id, speaker_id]);
  const names = (count: number) => Array.from({ length: count }, (_, n) => `Ann Lee${'x'.repeat(n + 1)}`);

  it('finds all, ordered by speaker', () => {
    const some = names(4);
    expect(matches(some, some.toReversed())).to.deep.equal([
      [3, 0],
      [2, 1],
      [1, 2],
      [0, 3],
    ]);
  });

  it('links none of three with the same name', () => {
    expect(matches(['Ann Lee', 'Ann Lee', 'Ann Lee'], ['Ann Lee'])).to.deep.equal([]);
    expect(matches(['Mr Lee', 'Mr Lee', 'Mrs Lee'], ['Mrs Lee', 'Mr Lee'])).to.deep.equal([[2, 0]]);
    expect(matches(['Mr Lee', 'Mr Lee', 'Mr Lee', 'Mrs Lee'], ['Mrs Lee'])).to.deep.equal([[3, 0]]);
    expect(matches(['Mr Lee', 'Mrs Lee', 'Mrs Lee'], ['Mr Lee'])).to.deep.equal([[0, 0]]);
    expect(matches(['Lee', 'Mr Lee'], ['Mrs Lee'])).to.deep.equal([[0, 0]]);
  });
});

describe('matching: captions, one by one', () => {
  const seen = spans([0, 40]);
  const captioned = (id: number, ...texts: readonly string[]) =>
    face(id, seen, { captions: texts.map((text) => ({ start: 0, end: 1, text })) });
  const ann = speaker(7, spans([0, 4]), 'Ann Lee');

  it('name a speaker by a full name, also one that is written without spaces', () => {
    const links = (name: string) => matchByCaption([captioned(1, name)], [speaker(7, spans([0, 4]), name)]);
    expect(links('王明')).to.deep.equal([{ row: 0, column: 0, caption: '王明' }]);
    for (const short of ['王', '王a', 'a王明', '王明a', 'Ann']) expect(links(short), short).to.deep.equal([]);
  });

  it('are examined in alphabetical order', () => {
    const link = (...texts: readonly string[]) => matchByCaption([captioned(1, ...texts)], [ann])[0]?.caption;
    expect(link('Ann Lee, NASA', 'ANN LEE', 'Ann Lee – host')).to.equal('ANN LEE');
    expect(otherNameIn([{ text: 'Cy Dow' }, { text: 'Bob Ray' }, { text: 'Cy Dow' }], 'Ann Lee')).to.equal('Bob Ray');
  });

  it('name somebody else by two to four capitalized words', () => {
    const other = (text: string) => otherNameIn([{ text }], 'Ann Lee');
    for (const name of ['Bob Ray', 'Bob  Ray', 'Bob Van', "Bob Conan O'Brien-Ray", 'Bob A. B. Ray'])
      expect(other(name), name).to.equal(name);
    expect(other('  Bob Ray ')).to.equal('Bob Ray');
    for (const none of ['Bob', 'bob Ray', 'Bob ray', 'with Bob Ray', 'Bob Ray speaks', 'Bob A B C Ray', 'x!Bob Ray'])
      expect(other(none), none).to.equal(null);
  });

  it('count from one second together, or if a side has no times', () => {
    const link = (turns: readonly (readonly [number, number])[], tracks: readonly (readonly [number, number])[]) =>
      matchByCaption(
        [{ name: null, tracks: spans(...tracks), captions: [{ text: 'Ann Lee' }] }],
        [{ name: 'Ann Lee', turns: spans(...turns) }],
      ).length;
    expect(link([[0, 4]], [[3, 9]])).to.equal(1);
    expect(link([[0, 4]], [[3.01, 9]])).to.equal(0);
    expect(
      link(
        [
          [0, 4],
          [8, 9],
        ],
        [[3.5, 8.5]],
      ),
    ).to.equal(1);
    expect(link([], [[0, 9]])).to.equal(1);
    expect(link([[0, 9]], [])).to.equal(1);
  });

  it('ignore speakers without names, and those that no caption names', () => {
    const nameless = speaker(8, spans([0, 4]));
    expect(matchByCaption([captioned(1, 'Ann Lee')], [nameless])).to.deep.equal([]);
    expect(matchByCaption([captioned(1, 'Ann Lee'), captioned(2, 'LIVE')], [nameless, ann])).to.deep.equal([
      { row: 1, column: 0, caption: 'Ann Lee' },
    ]);
    expect(matchByCaption([captioned(1, 'LIVE')], [ann])).to.deep.equal([]);
    expect(matchByCaption([{ ...captioned(1, 'Ann Lee'), name: 'Ann Lee' }], [ann])).to.deep.equal([]);
  });
});
