import { expect } from 'chai';
import { matchByName } from '../../../domain/matching/name-channel.js';
import { face, speaker } from './cases.js';

const match = (faces: readonly (string | null)[], speakers: readonly (string | null)[]) =>
  matchByName(
    faces.map((name, id) => face(id, [], { name })),
    speakers.map((name, id) => speaker(id, [], name)),
  );

describe('matching: name channel', () => {
  it('given one name on both sides, written differently, it links them', () => {
    expect(match([null, 'José  Ángel-Ruiz'], ['jose angel ruiz', 'Ann Lee'])).to.deep.equal([
      { face_id: 1, speaker_id: 0 },
    ]);
  });

  it('given a name that two on one side share, it links neither', () => {
    expect(match(['Ann Lee', 'ANN LEE'], ['Ann Lee'])).to.deep.equal([]);
    expect(match(['Ann Lee'], ['Ann Lee', 'ann lee'])).to.deep.equal([]);
  });

  it('given placeholders or blanks on both sides, it links none', () => {
    const placeholders = ['Speaker 3', 'spk00', 'SPEAKER_01', 'Face 12', 'unknown', ' ', '', null, '...'];
    placeholders.forEach((name) => expect(match([name], [name]), String(name)).to.deep.equal([]));
  });

  it('keeps names of other scripts apart', () => {
    expect(match(['Анна', '李娜'], ['李娜', 'Анна'])).to.deep.equal([
      { face_id: 1, speaker_id: 0 },
      { face_id: 0, speaker_id: 1 },
    ]);
  });

  it('given a name with titles and in another order, it links them', () => {
    expect(match(['Smith, Dr. John', 'Ann Lee'], ['Speaker 1', 'JOHN SMITH'])).to.deep.equal([
      { face_id: 0, speaker_id: 1 },
    ]);
  });

  it('given a couple, titles distinguish the two; without them nobody is linked', () => {
    expect(match(['Mr Smith', 'Mrs Smith'], ['Mrs. Smith', 'Mr. Smith'])).to.deep.equal([
      { face_id: 1, speaker_id: 0 },
      { face_id: 0, speaker_id: 1 },
    ]);
    expect(match(['Mr Smith', 'Mrs Smith'], ['Smith'])).to.deep.equal([]);
    expect(match(['Mr Smith'], ['Mrs Smith'])).to.deep.equal([]);
  });
});
