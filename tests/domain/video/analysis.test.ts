import { expect } from 'chai';
import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import type { VideoCommand } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceAttributes, RecordedFace } from '../../../domain/video/changes.js';
import { registeredIn } from '../../support/specification.js';
import { at, audioId, faceId, personName, speakerId } from '../../support/values.js';
import {
  analyse,
  analysed,
  completed,
  face,
  registered,
  renamedFaces,
  seen,
  theVideo,
} from '../../support/video-events.js';

/** The event of the second analysis: the faces that are gone, and what it says besides. */
const recorded = (
  faces: ReadonlyArray<RecordedFace>,
  status: ProcessingStatus = 'completed',
  ...discontinued: ReadonlyArray<number>
): VideoEvent => analysed(faces, status, { analysis_id: 'second', at: at(9), discontinued: discontinued.map(faceId) });

/** A face that continues another one, and what the analysis changes on it. */
const again = (id: number, changed: Partial<FaceAttributes> = {}): RecordedFace => ({
  face_id: faceId(id),
  ...changed,
});

const rippled: VideoCommand = {
  type: 'FollowSpeakerNames',
  audio_id: audioId('a'),
  audio_revision: 3,
  speakers: [{ speaker_id: speakerId(1), name: 'Ann', named_by: 'person', claimed: false }],
  current: false,
  at: at(5),
};

describe('the analysis of a video', () => {
  const ann = theVideo.given(...completed(face(1, 'Ann')));

  it('is refused for a video that does not exist, and with a face twice', () => {
    theVideo.given().cases([analyse([]), { _tag: 'UnknownVideo' }]);
    theVideo
      .given(registered())
      .cases([analyse([seen(1, null), seen(1, 'Ann')]), { _tag: 'DuplicateFace', face_id: faceId(1) }]);
  });

  it('gives faces without a name a generated label', () =>
    theVideo
      .given(registered())
      .cases([
        analyse([seen(1, null), seen(2, '  '), seen(3, 'Ann', { calm: 1 })]),
        [recorded([face(1, 'Face 1'), face(2, 'Face 2'), face(3, 'Ann', { personality_traits: { calm: 1 } })])],
      ]));
  it('says where the tracks are', () => {
    const tracks = { first_revision: 3, parts: 2 };
    const event = analysed([], 'completed', { analysis_id: 'second', at: at(9), tracks });
    theVideo.given(registered()).cases([analyse([], { tracks }), [event]]);
  });

  ann.tests({
    'changes nothing when it is sent again': [analyse([seen(1, 'Bob')], { analysis_id: 'first' }), []],
    'replaces the faces once it is completed': [
      analyse([seen(2, 'Bob')]),
      [recorded([face(2, 'Bob')], 'completed', 1)],
    ],
    'keeps the last name if it has none': [analyse([seen(1, ' ')]), [recorded([again(1)])]],
  });
  it('removes no face before', () => {
    for (const status of ['queue', 'processing', 'failed'] as const)
      ann.cases([analyse([seen(2, 'Bob')], { status }), [recorded([again(1), face(2, 'Bob')], status)]]);
  });

  it('keeps the match of a face found again, and its personality data unless it says otherwise', () => {
    const known = { name: 'Ann', speaker_id: speakerId(1), accuracy: 0.8, personality_traits: { calm: 1 } };
    const given = theVideo.given(...completed(face(1, 'Ann', known)));
    given.cases(
      [analyse([seen(1, 'Ann')]), [recorded([again(1)])]],
      [analyse([seen(1, 'Ann', null)]), [recorded([again(1, { personality_traits: null })])]],
    );
    expect(registeredIn(given.after(analyse([seen(1, 'Ann')]))).faces.get(faceId(1))).to.deep.include(known);
  });

  it('keeps a name that a person gave, except a generated label that a revert restored', () => {
    const named = (name: string, previous: string) =>
      theVideo.given(...completed(face(1, previous)), renamedFaces(5, [[1, name, previous]]));
    named('Ann', 'Face 1').cases([analyse([seen(1, 'Bob')]), [recorded([again(1)])]]);
    named('Face 1', 'Ann').cases([analyse([seen(1, 'Bob')]), [recorded([again(1, { name: 'Bob' })])]]);
  });

  it('is later than a repeated rename of a speaker', () => {
    const linked = { speaker_id: speakerId(1) };
    theVideo.given(...completed(face(1, 'Ann', linked)), recorded([face(1, 'Bob', linked)])).cases([rippled, []]);
  });
});

describe('personality data, re-analysed after a mapping cleared them', () => {
  const traits = (id: number) => ({ face_id: faceId(id), personality_traits: { calm: 1 } });
  theVideo.given(...completed(face(1, 'Ann'))).tests({
    'are refused for an unknown face': [
      { type: 'RecordPersonalityTraits', ...traits(2) },
      { _tag: 'InvalidFace', face_id: faceId(2) },
    ],
    'are recorded once': [
      { type: 'RecordPersonalityTraits', ...traits(1) },
      [{ type: 'PersonalityTraitsRecorded', data: traits(1) }],
    ],
  });
});

describe('a face renamed by hand', () => {
  const rename = (...faces: ReadonlyArray<readonly [number, string]>): VideoCommand => ({
    type: 'RenameFaces',
    faces: faces.map(([id, name]) => ({ face_id: faceId(id), name: personName(name) })),
    at: at(5),
  });
  theVideo.given(...completed(face(1, 'Ann'), face(2, 'Bob')), renamedFaces(4, [[2, 'Max', 'Bob']])).tests({
    'gets the name, and records the previous one': [
      rename([1, 'Eve'], [2, 'Max']),
      [renamedFaces(5, [[1, 'Eve', 'Ann']])],
    ],
    'is refused when it is named twice': [
      rename([1, 'Eve'], [1, 'Zoe']),
      { _tag: 'DuplicateFace', face_id: faceId(1) },
    ],
  });
  it('is refused when unknown, also before the analysis is completed', () =>
    theVideo
      .given(registered(), analysed([face(1, 'Ann')], 'processing'))
      .cases([rename([2, 'Eve']), { _tag: 'InvalidFace', face_id: faceId(2) }]));
  it('whose name a person confirms has it from that person', () =>
    theVideo
      .given(...completed(face(1, 'Person B')))
      .cases([rename([1, 'Person B']), [renamedFaces(5, [[1, 'Person B', 'Person B']])]]));
});
