import type { VideoCommand, WithdrawSpeaker } from '../../../domain/video/contract.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { FaceChange } from '../../../domain/video/changes.js';
import { at, audioId, faceId, personName, speakerId } from '../../support/values.js';
import { analysed, change, completed, face, registered, theVideo } from '../../support/video-events.js';

const matched = { speaker_id: speakerId(1), accuracy: 0.9, personality_traits: { calm: 1 } };
const unmatch = (face_id: number): VideoCommand => ({ type: 'UnmatchFace', face_id, at: at(9) });
const unmatched = (...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
  type: 'FaceUnmatched',
  data: { changes, at: at(9) },
});

describe("DELETE of a face's match", () => {
  it('removes speaker, accuracy and personality data, and keeps the name', () =>
    theVideo
      .given(...completed(face(1, 'Ann', matched)))
      .when(unmatch(1))
      .then(unmatched(change(1, { name: 'Ann', ...matched }, { name: 'Ann' }))));
  theVideo.given(...completed(face(1, 'Ann'))).tests({
    'does nothing without a match': [unmatch(1), []],
    'is refused for an unknown face': [unmatch(2), { _tag: 'InvalidFace', face_id: 2 }],
  });
  it('is refused before the video is completed, whatever the face', () =>
    theVideo
      .given(registered(), analysed([face(1, 'Ann', matched)], 'processing'))
      .when(unmatch(2))
      .thenRefused({ _tag: 'VideoUnprocessed', status: 'processing' }));
});

describe('a face whose speaker was withdrawn', () => {
  const withdraw = (parts: Partial<WithdrawSpeaker>): VideoCommand => ({
    type: 'WithdrawSpeaker',
    audio_revision: 1,
    speaker_id: speakerId(1),
    name: 'Ann',
    merged_into: null,
    at: at(9),
    ...parts,
  });
  const withdrawn = (into: number | null, ...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
    type: 'SpeakerWithdrawn',
    data: { speaker_id: speakerId(1), merged_into: into === null ? null : speakerId(into), changes, at: at(9) },
  });
  const into = (name: string | null, named_by: 'person' | 'analysis' = 'analysis') => ({
    merged_into: { speaker_id: speakerId(2), name, named_by },
  });
  const handedOn = { ...matched, speaker_id: speakerId(2) };

  it('takes the name of the merged-into speaker if it had its speaker’s name', () =>
    theVideo
      .given(...completed(face(1, 'Ann', matched)))
      .when(withdraw(into('Bea', 'person')))
      .then(withdrawn(2, change(1, { name: 'Ann', ...matched }, { name: 'Bea', ...handedOn }))));
  it('gets a real name instead of a placeholder', () =>
    theVideo
      .given(...completed(face(1, 'Face 1', matched)))
      .when(withdraw(into('Bea')))
      .then(
        withdrawn(2, change(1, { name: 'Face 1', ...matched }, { name: 'Bea', ...handedOn }, ['analysis', 'speaker'])),
      ));
  it('keeps a real name of its own, and gets no placeholder', () => {
    theVideo
      .given(...completed(face(1, 'Zoe', matched)))
      .when(withdraw(into('Bea')))
      .then(withdrawn(2, change(1, { name: 'Zoe', ...matched }, { name: 'Zoe', ...handedOn })));
    theVideo
      .given(...completed(face(1, 'Ann', matched)))
      .when(withdraw(into('SPEAKER_02')))
      .then(withdrawn(2, change(1, { name: 'Ann', ...matched }, { name: 'Ann', ...handedOn })));
  });
});

describe('who gave a face’s name', () => {
  const rename = (name: string): VideoCommand => ({
    type: 'RenameFaces',
    faces: [{ face_id: faceId(1), name: personName(name) }],
    at: at(9),
  });
  const named = (name: string, previous_name: string, cause: 'request' | 'speaker_renamed'): VideoEvent => ({
    type: 'FacesRenamed',
    data: {
      faces: [{ face_id: faceId(1), name, previous_name, named_by: { before: 'analysis', after: 'person' } }],
      cause: cause === 'request' ? { kind: 'request' } : { kind: cause, audio_id: audioId('a'), audio_revision: 2 },
      at: at(9),
    },
  });
  const video = completed(face(1, 'Person B', matched));

  it("is a person's once a person gives it the name that it has", () =>
    theVideo
      .given(...video)
      .when(rename('Person B'))
      .then(named('Person B', 'Person B', 'request')));
});
