import { streamCategory, streamId } from './stream-name.js';

/**
 * What has a key of its own, by which all that is personal about it is sealed: a video, an audio or a realtime session,
 * named as its stream is.
 */
export type Subject = `${'video' | 'audio' | 'realtimeSession'}-${string}`;

export const videoSubject = (video_id: string): Subject => `video-${video_id}`;
export const audioSubject = (audio_id: string): Subject => `audio-${audio_id}`;
export const sessionSubject = (session_id: string): Subject => `realtimeSession-${session_id}`;

/** Whose own stream, or evidence, a stream is; null for all others. */
export const subjectOfStream = (stream: string): Subject | null => {
  const id = streamId(stream);
  switch (streamCategory(stream)) {
    case 'video':
    case 'faceTracks':
      return videoSubject(id);
    case 'audio':
    case 'speakerTurns':
    case 'transcript':
      return audioSubject(id);
    case 'realtimeSession':
      return sessionSubject(id);
    default:
      return null;
  }
};
