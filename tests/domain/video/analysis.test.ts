import { expect } from 'chai';
import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import type { AnalysedFace, RecordVideoAnalysis, VideoCommand } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceAttributes, RecordedFace } from '../../../domain/video/changes.js';
import type { VideoState } from '../../../domain/video/state.js';
import { at, audioId, faceId, personName, speakerId } from '../../support/values.js';
import { analysed, completed, face, registered, renamedFaces, theVideo } from '../../support/video-events.js';

const seen = (id: number, name: string | null, traits?: AnalysedFace['personality_traits']): AnalysedFace => ({
  face_id: faceId(id),
  name,
  personality_traits: traits,
});

const analyse = (
  faces: ReadonlyArray<AnalysedFace>,
  status: ProcessingStatus = 'completed',
  analysis_id = 'second',
): RecordVideoAnalysis => ({
  type: 'RecordVideoAnalysis',
  status,
  analysis_id,
  faces,
  tracks: { first_revision: 3, parts: 2 },
  alignment: null,
  at: at(50),
});

const recorded = (
  faces: ReadonlyArray<RecordedFace>,
  status: ProcessingStatus = 'completed',
  discontinued: ReadonlyArray<number> = [],
): VideoEvent => ({
  type: 'VideoAnalysisRecorded',
  data: {
    status,
    analysis_id: 'second',
    faces,
    tracks: { first_revision: 3, parts: 2 },
    at: at(50),
    renumbered: [],
    discontinued: discontinued.map(faceId),
  },
});

/** A face that continues another one, and what the analysis changes on it. */
const again = (id: number, changed: Partial<FaceAttributes> = {}): RecordedFace => ({
  face_id: faceId(id),
  ...changed,
});

const facesOf = (state: VideoState): ReadonlyArray<FaceAttributes & { readonly face_id: number }> =>
  state._tag === 'Registered' ? [...state.faces.values()] : [];

const renamed = (id: number, name: string, previous: string, seconds: number) =>
  renamedFaces(seconds, [[id, name, previous]]);

const rippled = (name: string, seconds: number): VideoCommand => ({
  type: 'FollowSpeakerNames',
  audio_id: audioId('a'),
  audio_revision: 3,
  speakers: [{ speaker_id: speakerId(1), name, named_by: 'person', claimed: false }],
  current: false,
  at: at(seconds),
});

describe('the analysis of a video', () => {
  it('is refused for a video that does not exist', () =>
    theVideo.given().when(analyse([])).thenRefused({ _tag: 'UnknownVideo' }));

  theVideo.given(registered()).tests({
    'is refused when it lists a face twice': [
      analyse([seen(1, null), seen(1, 'Ann')]),
      { _tag: 'DuplicateFace', face_id: faceId(1) },
    ],
    'gives faces without a name a generated label': [
      analyse([seen(1, null), seen(2, '  '), seen(3, 'Ann', { calm: 1 })]),
      [recorded([face(1, 'Face 1'), face(2, 'Face 2'), face(3, 'Ann', { personality_traits: { calm: 1 } })])],
    ],
  });

  it('changes nothing when it is sent again', () =>
    theVideo
      .given(...completed(face(1, 'Ann')))
      .when(analyse([seen(1, 'Bob')], 'completed', 'first'))
      .thenNothing());

  (['queue', 'processing', 'failed'] as const).forEach((status) =>
    it(`removes no face while it is at ${status}`, () =>
      theVideo
        .given(...completed(face(1, 'Ann')))
        .when(analyse([seen(2, 'Bob')], status))
        .then(recorded([again(1), face(2, 'Bob')], status))),
  );

  it('replaces the faces once it is completed', () =>
    theVideo
      .given(...completed(face(1, 'Ann')))
      .when(analyse([seen(2, 'Bob')]))
      .then(recorded([face(2, 'Bob')], 'completed', [1])));

  it('keeps the match of a face found again, and its personality data if the analysis has none', () => {
    const known = { name: 'Ann', speaker_id: speakerId(1), accuracy: 0.8, personality_traits: { calm: 1 } };
    const when = theVideo.given(...completed(face(1, 'Ann', known))).when(analyse([seen(1, 'Ann')]));
    when.then(recorded([again(1)]));
    expect(facesOf(when.thenState())[0]).to.deep.include(known);
  });

  it('clears personality data if it is explicitly null', () =>
    theVideo
      .given(...completed(face(1, 'Ann', { personality_traits: { calm: 1 } })))
      .when(analyse([seen(1, 'Ann', null)]))
      .then(recorded([again(1, { personality_traits: null })])));

  it('keeps a name that a person gave', () =>
    theVideo
      .given(...completed(face(1, 'Face 1')), renamed(1, 'Ann', 'Face 1', 5))
      .when(analyse([seen(1, 'Bob')]))
      .then(recorded([again(1)])));

  it('keeps the last name if it has none', () =>
    theVideo
      .given(...completed(face(1, 'Ann')))
      .when(analyse([seen(1, ' ')]))
      .then(recorded([again(1)])));

  it('names a face whose generated label was restored by a revert', () =>
    theVideo
      .given(...completed(face(1, 'Face 1')), renamed(1, 'Face 1', 'Ann', 5))
      .when(analyse([seen(1, 'Bob')]))
      .then(recorded([again(1, { name: 'Bob' })])));

  it('is later than a repeated rename of a speaker', () =>
    theVideo
      .given(
        ...completed(face(1, 'Ann', { speaker_id: speakerId(1) })),
        recorded([face(1, 'Bob', { speaker_id: speakerId(1) })]),
      )
      .when(rippled('Ann', 20))
      .thenNothing());
});

describe('personality data, re-analysed after a mapping cleared them', () => {
  theVideo.given(...completed(face(1, 'Ann'))).tests({
    'are refused for an unknown face': [
      { type: 'RecordPersonalityTraits', face_id: faceId(2), personality_traits: {} },
      { _tag: 'InvalidFace', face_id: faceId(2) },
    ],
    'are recorded once': [
      { type: 'RecordPersonalityTraits', face_id: faceId(1), personality_traits: { calm: 1 } },
      [
        {
          type: 'PersonalityTraitsRecorded',
          data: { face_id: faceId(1), personality_traits: { calm: 1 } },
        },
      ],
    ],
  });
});

const rename = (...faces: ReadonlyArray<readonly [number, string]>): VideoCommand => ({
  type: 'RenameFaces',
  faces: faces.map(([id, name]) => ({ face_id: faceId(id), name: personName(name) })),
  at: at(5),
});

describe('a face renamed by hand', () => {
  it('gets the name, and records the previous one', () =>
    theVideo
      .given(...completed(face(1, 'Ann'), face(2, 'Bob')), renamed(2, 'Max', 'Bob', 4))
      .when(rename([1, 'Eve'], [2, 'Max']))
      .then(renamed(1, 'Eve', 'Ann', 5)));
  it('is refused when unknown', () =>
    theVideo
      .given(registered(), analysed([face(1, 'Ann')], 'processing'))
      .when(rename([2, 'Eve']))
      .thenRefused({ _tag: 'InvalidFace', face_id: faceId(2) }));
  it('is refused when it is named twice', () =>
    theVideo
      .given(...completed(face(1, 'Ann')))
      .when(rename([1, 'Eve'], [1, 'Zoe']))
      .thenRefused({ _tag: 'DuplicateFace', face_id: faceId(1) }));
});
