import { expect } from 'chai';
import type { VideoCommand, AudioFacts, VideoRefusal } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { type FaceAttributes, type FaceChange, mergeChanges } from '../../../domain/video/changes.js';
import type { VideoState } from '../../../domain/video/state.js';
import { at, audioId, faceId, runId, speakerId } from '../../support/values.js';
import { audioWith, change, committed, completed, face, queued, theVideo } from '../../support/video-events.js';

const on = (speaker: number | null, name: string, accuracy: number | null = 0.9): Partial<FaceAttributes> => ({
  name,
  speaker_id: speaker === null ? null : speakerId(speaker),
  accuracy: speaker === null ? null : accuracy,
});
const everybody = audioWith([1, null], [2, null], [3, null]);
const revert = (changes: ReadonlyArray<FaceChange>, audio: AudioFacts = everybody): VideoCommand => ({
  type: 'RevertMatchRun',
  run_id: runId('r'),
  changes,
  revision: 2,
  audio,
  at: at(50),
});
const reverted = (changes: ReadonlyArray<FaceChange>, changed_since: ReadonlyArray<number> = []): VideoEvent => ({
  type: 'MatchRunReverted',
  data: { run_id: runId('r'), changes, changed_since: changed_since.map(faceId), at: at(50) },
});
const byHand = (...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
  type: 'FacesMatched',
  data: { audio_id: audioId('a'), changes, speakers: [], at: at(20) },
});
const facesOf = (state: VideoState) =>
  state._tag === 'Registered' ? [...state.faces.values()].map(({ face_id, speaker_id }) => [face_id, speaker_id]) : [];

const nothingLeft = (...faces: ReadonlyArray<number>): VideoRefusal => ({
  _tag: 'NothingToRevert',
  changed_since: faces.map((id) => ({ record: 'face', id, fields: [] })),
});
const traitsCame = (id: number): VideoEvent => ({
  type: 'PersonalityTraitsRecorded',
  data: { face_id: faceId(id), personality_traits: { fresh: 1 } },
});

const calm = { personality_traits: { calm: 1 } };
const one = change(1, { name: 'Face 1', ...calm }, on(1, 'Ann'), ['analysis', 'speaker']);
const two = change(2, on(1, 'Zoe', null), on(null, 'Zoe'));
const oneBack = change(1, one.after, one.before, ['speaker', 'analysis']);
const ran = (...changes: ReadonlyArray<FaceChange>): ReadonlyArray<VideoEvent> => [
  ...completed(face(1, 'Face 1', calm), face(2, 'Zoe', { speaker_id: speakerId(1) }), face(3, 'Max')),
  queued('r', 'commit', 1),
  committed('r', 2, { changes }),
];

describe('the revert of a run', () => {
  it('restores names, who gave them, matches and personality data', () =>
    theVideo
      .given(...ran(two, one))
      .when(revert([two, one]))
      .then(reverted([change(2, two.after, two.before), oneBack])));

  it('leaves and reports a face that was changed since, even in a field that the run did not change', () => {
    theVideo
      .given(...ran(one), byHand(change(1, on(1, 'Ann'), on(1, 'Ann', 0.5))))
      .when(revert([one]))
      .thenRefused(nothingLeft(1));
    const match = change(3, { name: 'Max' }, on(2, 'Max'));
    theVideo
      .given(...ran(match), byHand(change(3, on(2, 'Max'), on(2, 'Tom'))))
      .when(revert([match]))
      .thenRefused(nothingLeft(3));
  });

  it('leaves and reports a face with new personality data', () => {
    const match = change(3, { name: 'Max' }, on(2, 'Max'));
    theVideo
      .given(...ran(one, match), traitsCame(1))
      .when(revert([one, match]))
      .then(reverted([change(3, match.after, match.before)], [1]));
    theVideo
      .given(...ran(match), traitsCame(3))
      .when(revert([match]))
      .thenRefused(nothingLeft(3));
  });

  it('ignores a field that already has its earlier value', () =>
    theVideo
      .given(...ran(one), byHand(change(1, on(1, 'Ann'), on(1, 'Ann', null))))
      .when(revert([one]))
      .then(reverted([change(1, on(1, 'Ann', null), one.before, ['speaker', 'analysis'])])));

  it('leaves a face whose name a person has claimed since', () =>
    theVideo
      .given(...ran(one), byHand(change(1, on(1, 'Ann'), on(1, 'Ann'), ['speaker', 'person'])))
      .when(revert([one]))
      .thenRefused(nothingLeft(1)));

  it('restores the other faces', () => {
    const third = change(3, { name: 'Max' }, on(2, 'Max'));
    theVideo
      .given(...ran(one, third), byHand(change(3, on(2, 'Max'), on(2, 'Max', 0.1))))
      .when(revert([one, third]))
      .then(reverted([oneBack], [3]));
  });

  it('does nothing the second time', () =>
    theVideo
      .given(...ran(one), reverted([oneBack]))
      .when(revert([one]))
      .thenRefused(nothingLeft()));

  it('leaves a face whose earlier speaker now belongs to another face', () =>
    theVideo
      .given(
        ...ran(two, one),
        byHand(change(1, on(1, 'Ann'), on(2, 'Ann')), change(3, on(null, 'Max'), on(1, 'Max', null))),
      )
      .when(revert([two, one]))
      .thenRefused(nothingLeft(2, 1)));

  it('leaves a chain of faces blocked by one that stays', () => {
    const swap = [
      change(1, on(1, 'A'), on(2, 'A')),
      change(2, on(2, 'B'), on(3, 'B')),
      change(3, on(3, 'C'), on(1, 'C')),
    ];
    const chain: ReadonlyArray<VideoEvent> = [
      ...completed(face(1, 'A', on(1, 'A')), face(2, 'B', on(2, 'B')), face(3, 'C', on(3, 'C'))),
      queued('r', 'commit', 1),
      committed('r', 2, { changes: swap }),
    ];
    const state = theVideo
      .given(...chain)
      .when(revert(swap))
      .thenState();
    expect(facesOf(state)).to.deep.equal([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
    theVideo
      .given(...chain, byHand(change(3, on(1, 'C'), on(1, 'C', 0.1))))
      .when(revert(swap))
      .thenRefused(nothingLeft(1, 2, 3));
  });

  it('restores a speaker of two changed faces only to the later one', () => {
    const first = [change(1, on(1, 'A'), on(null, 'A')), change(2, on(null, 'B'), on(1, 'B'))];
    const second = [change(2, on(1, 'B', null), on(3, 'B'))];
    const given: ReadonlyArray<VideoEvent> = [
      ...completed(face(1, 'A', on(1, 'A')), face(2, 'B')),
      queued('r', 'commit', 1),
      committed('r', 2, { attribution: 'assumed', changes: first }),
      byHand(change(2, on(1, 'B'), on(1, 'B', null))),
      committed('r', 3, { attribution: 'assumed', changes: second }),
    ];
    const state = theVideo
      .given(...given)
      .when(revert(mergeChanges(first, second)))
      .then(reverted([change(2, on(3, 'B'), on(1, 'B', null))], [1]));
    expect(facesOf(state)).to.deep.equal([
      [1, null],
      [2, 1],
    ]);
  });

  it('leaves a face whose earlier speaker no longer exists', () =>
    theVideo
      .given(...ran(two, one))
      .when(revert([two], audioWith([2, null])))
      .thenRefused(nothingLeft(2)));

  it('skips a face that no longer exists', () =>
    theVideo
      .given(...completed(face(2, 'Zoe')), queued('r', 'commit', 1), committed('r', 2, { changes: [one] }))
      .when(revert([one]))
      .thenRefused(nothingLeft(1)));
});
