import type { Mapping, VideoCommand } from '../../../domain/video/contract.js';
import type { FaceAttributes, FaceChange } from '../../../domain/video/changes.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { at, audioId, faceId, speakerId } from '../../support/values.js';
import { audioWith, change, completed, face, theVideo } from '../../support/video-events.js';

const speakers = audioWith([1, 'Ann'], [2, 'Bob'], [3, 'Cy']);

const match = (...pairs: ReadonlyArray<readonly [face: number, speaker: number]>): VideoCommand => ({
  type: 'MatchFaces',
  mappings: pairs.map(([face, speaker]): Mapping => ({ face_id: faceId(face), speaker_id: speakerId(speaker) })),
  audio: speakers,
  at: at(10),
});

const matched = (...changes: ReadonlyArray<FaceChange>): VideoEvent => ({
  type: 'FacesMatched',
  data: { audio_id: audioId('a'), changes, speakers: [], at: at(10) },
});

const held = (speaker: number | null, name: string, parts: Partial<FaceAttributes> = {}): Partial<FaceAttributes> => ({
  name,
  speaker_id: speaker === null ? null : speakerId(speaker),
  ...parts,
});

const withSpeaker = (id: number, name: string, speaker: number, parts: Partial<FaceAttributes> = {}) =>
  face(id, name, { speaker_id: speakerId(speaker), ...parts });

describe('a match that moves (contract, Speaker-face match)', () => {
  it('takes the speaker from the face that had it, which keeps its name', () =>
    theVideo
      .given(...completed(withSpeaker(1, 'Ann', 1, { accuracy: 0.8, personality_traits: { calm: 1 } }), face(2, 'Zoe')))
      .when(match([2, 1]))
      .then(
        matched(
          change(1, held(1, 'Ann', { accuracy: 0.8, personality_traits: { calm: 1 } }), held(null, 'Ann')),
          change(2, held(null, 'Zoe'), held(1, 'Zoe')),
        ),
      ));

  it('takes the face from the speaker that had it', () =>
    theVideo
      .given(...completed(withSpeaker(1, 'Ann', 1)))
      .when(match([1, 2]))
      .then(matched(change(1, held(1, 'Ann'), held(2, 'Ann')))));

  theVideo.given(...completed(withSpeaker(1, 'Ann', 1), withSpeaker(2, 'Bob', 2))).tests({
    'moves on both sides at once': [
      match([1, 2]),
      [matched(change(2, held(2, 'Bob'), held(null, 'Bob')), change(1, held(1, 'Ann'), held(2, 'Ann')))],
    ],
    'swaps two': [
      match([1, 2], [2, 1]),
      [matched(change(1, held(1, 'Ann'), held(2, 'Ann')), change(2, held(2, 'Bob'), held(1, 'Bob')))],
    ],
  });

  it('rotates three', () =>
    theVideo
      .given(...completed(withSpeaker(1, 'Ann', 1), withSpeaker(2, 'Bob', 2), withSpeaker(3, 'Cy', 3)))
      .when(match([1, 2], [2, 3], [3, 1]))
      .then(
        matched(
          change(1, held(1, 'Ann'), held(2, 'Ann')),
          change(2, held(2, 'Bob'), held(3, 'Bob')),
          change(3, held(3, 'Cy'), held(1, 'Cy')),
        ),
      ));
});
