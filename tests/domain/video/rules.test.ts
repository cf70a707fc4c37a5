import { expect } from 'chai';
import type { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import { decidedLinks, splitByDecisions, withoutConfirmed } from '../../../domain/video/decisions/decide-links.js';
import { type MatchedName, type SpeakerName, divergedNames } from '../../../domain/video/link-faces.js';
import {
  type RuledOut,
  type RuledOutEdit,
  followRuledOut,
  exceedsMaxRuledOut,
  isRuledOut,
  nothingRuledOut,
  clearRuledOut,
  forgetRuledOutSpeaker,
  withRuledOut,
} from '../../../domain/video/changes.js';
import type { Face } from '../../../domain/video/state.js';
import { at, faceId, speakerId } from '../../support/values.js';
import { faceOf, facesOf } from '../../support/video-events.js';

const faceOrNull = (id: number | null): FaceId | null => (id === null ? null : faceId(id));

const edit = (speaker: number, face: number | null, before: boolean, after = !before): RuledOutEdit => ({
  speaker_id: speakerId(speaker),
  face_id: faceOrNull(face),
  before,
  after,
});

const ruledOut = (...pairs: ReadonlyArray<readonly [speaker: number, face: number | null]>): RuledOut =>
  withRuledOut(
    nothingRuledOut,
    pairs.map(([speaker, face]) => edit(speaker, face, false)),
  );

const entries = (ruled: RuledOut) => [...ruled].map(([speaker, faces]) => [speaker, [...faces]]);

const matched = (id: number, speaker: number | null, accuracy: number | null = null): Face =>
  faceOf(id, { speaker_id: speaker === null ? null : speakerId(speaker), accuracy });

const pair = (face: number, speaker: number) => ({ face_id: faceId(face), speaker_id: speakerId(speaker) });

describe('what people ruled out', () => {
  it('grows and shrinks by edits, which do not change the earlier value', () => {
    const ruled = ruledOut([1, 5], [1, null], [2, 5]);
    expect(entries(ruled)).to.deep.equal([
      [1, [5, null]],
      [2, [5]],
    ]);
    const less = withRuledOut(ruled, [edit(1, 5, true), edit(2, 5, true)]);
    expect(entries(less)).to.deep.equal([[1, [null]]]);
    expect(entries(ruled).length).to.equal(2);
    expect(ruled.get(speakerId(1))?.size).to.equal(2);
    expect(withRuledOut(ruled, [])).to.equal(ruled);
    expect(isRuledOut(ruled, speakerId(1), null)).to.equal(true);
    expect(isRuledOut(ruled, speakerId(2), null)).to.equal(false);
    expect(isRuledOut(ruled, speakerId(3), faceId(5))).to.equal(false);
  });

  it('has at most ten thousand entries, but may always shrink', () => {
    const full = ruledOut(...Array.from({ length: 10_000 }, (_, n): [number, number] => [n % 10, n]));
    const more = edit(1, 10_001, false);
    expect(exceedsMaxRuledOut(full, [more])).to.equal(true);
    expect(exceedsMaxRuledOut(full, [more, edit(1, 1, true)])).to.equal(false);
    expect(exceedsMaxRuledOut(full, [edit(1, 1, true)])).to.equal(false);
    expect(exceedsMaxRuledOut(withRuledOut(full, [edit(1, 1, true)]), [more])).to.equal(false);
    const beyond = withRuledOut(full, [more]);
    expect(exceedsMaxRuledOut(beyond, [edit(2, 2, true)])).to.equal(false);
    expect(exceedsMaxRuledOut(beyond, [])).to.equal(false);
  });

  it('loses speakers and faces that no longer exist', () => {
    const ruled = ruledOut([1, 5], [1, null], [2, 5], [2, 6]);
    expect(entries(forgetRuledOutSpeaker(ruled, speakerId(1)))).to.deep.equal([[2, [5, 6]]]);
    expect(forgetRuledOutSpeaker(ruled, speakerId(3))).to.equal(ruled);
    const withFace6 = (of: RuledOut) =>
      entries(
        followRuledOut(
          of,
          (id) => id,
          (id) => (id === 6 ? id : null),
        ),
      );
    expect(withFace6(ruled)).to.deep.equal([
      [1, [null]],
      [2, [6]],
    ]);
    expect(withFace6(ruledOut([2, 5]))).to.deep.equal([]);
    expect(clearRuledOut(pair(5, 1))).to.deep.equal([
      { speaker_id: 1, face_id: 5, after: false },
      { speaker_id: 1, face_id: null, after: false },
    ]);
  });
});

describe('links that people decided', () => {
  const faces = facesOf(matched(9, 1), matched(2, 2, 0.9), matched(3, null), matched(4, 4));

  it('override what was ruled out', () =>
    expect(decidedLinks(faces, ruledOut([1, 9], [1, 2], [1, null], [2, null], [4, 4], [5, 3]))).to.deep.equal({
      confirmed: [pair(4, 4), pair(9, 1)],
      unseen: [2],
      rejected: [pair(2, 1), pair(3, 5)],
    }));

  it('are left out of matches that repeat them', () =>
    expect(withoutConfirmed(faces, [pair(9, 1), pair(2, 2), pair(9, 2), pair(7, 7)])).to.deep.equal([
      pair(2, 2),
      pair(9, 2),
      pair(7, 7),
    ]));

  it('give the reason why a match is not applied', () => {
    const ruled = ruledOut([5, null], [6, 2]);
    const matches = [pair(9, 1), pair(2, 1), pair(9, 3), pair(2, 5), pair(2, 6), pair(3, 6)];
    expect(splitByDecisions(faces, ruled, matches)).to.deep.equal({
      kept: [pair(9, 1), pair(3, 6)],
      skipped: [
        { ...pair(2, 1), reason: 'speaker_confirmed' },
        { ...pair(9, 3), reason: 'face_confirmed' },
        { ...pair(2, 5), reason: 'speaker_not_seen' },
        { ...pair(2, 6), reason: 'pair_rejected' },
      ],
    });
  });
});

describe('names that have diverged', () => {
  const of = (face: Partial<MatchedName>, speaker: Partial<SpeakerName> | null) =>
    divergedNames(
      [{ speaker_id: speakerId(1), name: 'Ann', named_at: at(5), name_origin: 'own', ...face }],
      speaker === null
        ? new Map<SpeakerId, SpeakerName>()
        : new Map([
            [speakerId(1), { name: 'Bob', named_by: 'person', renamed_at: at(9), name_put_back: false, ...speaker }],
          ]),
    );
  const nothing = { for_faces: [], for_speakers: [], gone: [] };
  const forFace = { ...nothing, for_faces: [{ speaker_id: 1, name: 'Bob', named_by: 'person', at: at(9) }] };

  it('follow the speaker if its name is newer, or replaced the name that the face adopted', () => {
    expect(of({}, {})).to.deep.equal(forFace);
    expect(of({ named_at: null }, {})).to.deep.equal(forFace);
    expect(of({ named_at: at(10), name_origin: 'adopted' }, {})).to.deep.equal(forFace);
    expect(of({}, { named_by: 'analysis' }).for_faces[0]?.named_by).to.equal('speaker');
  });

  it('follow the face if a person gave its name to both, later', () => {
    const forSpeaker = { ...nothing, for_speakers: [{ speaker_id: 1, name: 'Ann', named_by: 'person', at: at(9) }] };
    expect(of({ named_at: at(9), name_origin: 'shared' }, {})).to.deep.equal(forSpeaker);
    expect(of({ named_at: at(9), name_origin: 'shared' }, { renamed_at: null })).to.deep.equal(forSpeaker);
    expect(of({ named_at: at(9), name_origin: 'shared' }, { name: null })).to.deep.equal(forSpeaker);
    expect(of({ named_at: null, name_origin: 'shared' }, { renamed_at: null })).to.deep.equal(nothing);
    expect(of({ named_at: at(9), name: null, name_origin: 'shared' }, {})).to.deep.equal(nothing);
  });

  it('stay if they agree, if the face has its own newer name, and if the speaker’s name was restored', () => {
    expect(of({ name: 'Bob' }, {})).to.deep.equal(nothing);
    expect(of({ named_at: at(9) }, {})).to.deep.equal(nothing);
    expect(of({}, { name_put_back: true })).to.deep.equal(nothing);
    expect(of({ named_at: at(4), name_origin: 'shared' }, { name_put_back: true })).to.deep.equal(nothing);
  });

  it('have no speaker any more', () => expect(of({}, null)).to.deep.equal({ ...nothing, gone: [1] }));
});
