import { expect } from 'chai';
import type { Interval } from '../../../domain/kernel/interval.js';
import { matchByCaption, otherNameIn } from '../../../domain/matching/caption-channel.js';
import { matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { face, speaker, spans } from './cases.js';

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
