import { expect } from 'chai';
import { matchSpeakersToFaces } from '../../../domain/matching/match-speakers-to-faces.js';
import { face, speaker, spans } from './cases.js';

const seen = spans([0, 40]);
const annTurns = spans([0, 4], [10, 14], [20, 24]);
const bobTurns = spans([5, 9], [15, 19], [25, 29]);

const captions = (...texts: readonly string[]) => texts.map((text) => ({ start: 0, end: 5, text }));

/** Two faces always seen together, so that only captions distinguish them. */
const named = (first: readonly string[], second: readonly string[], names: readonly (string | null)[]) =>
  matchSpeakersToFaces({
    faces: [face(1, seen, { captions: captions(...first) }), face(2, seen, { captions: captions(...second) })],
    speakers: [speaker(7, annTurns, names[0] ?? null), speaker(8, bobTurns, names[1] ?? null)],
    target_speaker_ids: null,
  }).matches.flatMap(({ face_id, speaker_id, channel }) => (channel === 'name' ? [[face_id, speaker_id]] : []));

const both = ['Ann Lee', 'Bob Ray'];

describe('matching: captions', () => {
  it("given a caption that is one speaker's name, whatever stands beside it, it links the face", () => {
    expect(named(['ANN LEE\nHead of Research'], [], both)).to.deep.equal([[1, 7]]);
    expect(named(['Dr. Ann Lee | NASA'], ['Lee, Ann'], both)).to.deep.equal([]);
    expect(named(['Ann Lee, NASA'], ['Bob Ray – host'], both)).to.deep.equal([
      [1, 7],
      [2, 8],
    ]);
  });

  it('reports another name in the captions of a face whose speaker has a name', () => {
    const other = (name: string | null, ...texts: readonly string[]) =>
      matchSpeakersToFaces({
        faces: [face(1, annTurns, { captions: captions(...texts) })],
        speakers: [speaker(7, annTurns, name)],
        target_speaker_ids: null,
      }).matches[0]?.evidence['contradicting_caption'];
    expect(other('Ann Lee', 'Bob Ray | Head of Research')).to.equal('Bob Ray');
    expect(other('Ann Lee', 'Dr. Bob Ray, NASA', 'LIVE')).to.equal('Dr. Bob Ray');
    for (const agrees of ['Ann Lee', 'LEE, Ann', 'Ann Lee - host'])
      expect(other('Ann Lee', agrees, 'Bob Ray'), agrees).to.equal(undefined);
    for (const nobody of ['breaking news', 'Chief Executive Officer', 'Head of Research', 'Ann', 'Channel 4', ''])
      expect(other('Bob Ray', nobody), nobody).to.equal(undefined);
    expect(other(null, 'Bob Ray')).to.equal(undefined);
    expect(other('Speaker 1', 'Bob Ray')).to.equal(undefined);
  });

  it('reports the caption', () => {
    const { matches } = matchSpeakersToFaces({
      faces: [face(1, seen, { captions: captions('Ann Lee, NASA', 'LIVE') })],
      speakers: [speaker(7, annTurns, 'Ann Lee')],
      target_speaker_ids: null,
    });
    expect(matches[0]).to.deep.include({ channel: 'name', accuracy: 0.95 });
    expect(matches[0]?.evidence).to.deep.include({ caption: 'Ann Lee, NASA', seconds_together: 12 });
  });

  it('given a caption that only mentions the speaker, or a part of the name, it links nobody', () => {
    expect(named(['Interview with Ann Lee'], [], both)).to.deep.equal([]);
    expect(named(['Ann'], [], ['Ann', 'Bob Ray'])).to.deep.equal([]);
    expect(named(['Ann'], [], both)).to.deep.equal([]);
  });

  it('given a face with two names, or a name beside two faces, it links nobody', () => {
    expect(named(['Ann Lee', 'Bob Ray'], [], both)).to.deep.equal([]);
    expect(named(['Ann Lee'], ['Ann Lee'], both)).to.deep.equal([]);
    expect(named(['Ann Lee'], [], ['Ann Lee', 'ann lee'])).to.deep.equal([]);
  });

  it('given placeholders, it links nobody', () => {
    expect(named(['Speaker 7'], ['Face 2'], ['Speaker 7', 'Face 2'])).to.deep.equal([]);
  });

  it('given a face that has a name, captions change nothing', () => {
    const faces = [
      face(1, seen, { name: 'Cy Dow', captions: captions('Ann Lee') }),
      face(2, seen, { captions: captions('Eve Fox') }),
      face(3, seen, { name: 'Eve Fox' }),
    ];
    const speakers = [speaker(7, annTurns, 'Ann Lee'), speaker(8, bobTurns, 'Eve Fox')];
    const { matches } = matchSpeakersToFaces({ faces, speakers, target_speaker_ids: null });
    const byName = matches.filter(({ channel }) => channel === 'name');
    expect(byName.map(({ face_id, speaker_id }) => [face_id, speaker_id])).to.deep.equal([[3, 8]]);
  });

  it('given a speaker heard only while the captioned face is not visible, it ignores the caption', () => {
    const { matches } = matchSpeakersToFaces({
      faces: [face(1, spans([100, 140]), { captions: captions('Ann Lee') })],
      speakers: [speaker(7, annTurns, 'Ann Lee')],
      target_speaker_ids: null,
    });
    expect(matches).to.deep.equal([]);
  });
});
