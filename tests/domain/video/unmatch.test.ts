import type { VideoCommand } from '../../../domain/video/contract.js';
import { at, speakerId } from '../../support/values.js';
import { analysed, change, completed, face, registered, theVideo } from '../../support/video-events.js';

const matched = { speaker_id: speakerId(1), accuracy: 0.9, personality_traits: { calm: 1 } };
const unmatch = (face_id: number): VideoCommand => ({ type: 'UnmatchFace', face_id, at: at(9) });

describe("DELETE of a face's match", () => {
  const removed = change(1, { name: 'Ann', ...matched }, { name: 'Ann' });
  theVideo.given(...completed(face(1, 'Ann', matched), face(2, 'Bob'))).tests({
    'removes speaker, accuracy and personality data, and keeps the name': [
      unmatch(1),
      [{ type: 'FaceUnmatched', data: { changes: [removed], at: at(9) } }],
    ],
    'does nothing without a match': [unmatch(2), []],
    'is refused for an unknown face': [unmatch(3), { _tag: 'InvalidFace', face_id: 3 }],
  });
  theVideo.given(registered(), analysed([face(1, 'Ann', matched)], 'processing')).tests({
    'is refused before the video is completed, whatever the face': [
      unmatch(2),
      { _tag: 'VideoUnprocessed', status: 'processing' },
    ],
  });
});
