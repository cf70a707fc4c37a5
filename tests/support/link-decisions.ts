import type { VideoEvent } from '../../domain/video/events.js';
import type { FaceChange, RuledOutEdit } from '../../domain/video/changes.js';
import { at, audioId, faceId, speakerId } from './values.js';
import { audioWith, completed, face } from './video-events.js';

/** The initial state for tests of people's decisions: three speakers, and three faces of which the second is matched. */
export const audio = audioWith([1, 'Ann'], [2, null], [3, null]);

export const ruling = (speaker: number, id: number | null, after = true): RuledOutEdit => ({
  speaker_id: speakerId(speaker),
  face_id: id === null ? null : faceId(id),
  before: !after,
  after,
});

export const decided = (
  changes: ReadonlyArray<FaceChange>,
  ruled_out: ReadonlyArray<RuledOutEdit> = [],
): VideoEvent => ({
  type: 'LinksDecided',
  data: { audio_id: audioId('a'), changes, ruled_out, at: at(9) },
});

export const matched = (speaker: number, accuracy: number | null = 0.9) => ({
  speaker_id: speakerId(speaker),
  accuracy,
  personality_traits: null,
});

export const video = completed(face(1, 'Face 1'), face(2, 'Zoe', matched(2)), face(3, 'Max'));
