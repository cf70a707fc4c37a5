/** The category of a stream: its name up to the first hyphen. */
export const streamCategory = (stream: string): string => {
  const hyphen = stream.indexOf('-');
  return hyphen === -1 ? stream : stream.slice(0, hyphen);
};

/** The id in a stream name: the part after the first hyphen. */
export const streamId = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

/**
 * An owner of an encryption key that seals all personal data about it: a video, an audio or a realtime session, named
 * like its stream.
 */
export type Subject = `${'video' | 'audio' | 'realtimeSession'}-${string}`;

export const videoSubject = (video_id: string): Subject => `video-${video_id}`;
export const audioSubject = (audio_id: string): Subject => `audio-${audio_id}`;
export const sessionSubject = (session_id: string): Subject => `realtimeSession-${session_id}`;

/** The subject that a stream belongs to; null if none. */
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

/** Name prefix of the streams that clients of the protocol server may write. */
const externalPrefix = 'external-';

/** Whether a stream belongs to the protocol server or its clients, not to this service. */
export const isExternalStream = (stream: string): boolean =>
  stream.startsWith('$') || stream.startsWith(externalPrefix);

/** Whether an event is a system event of EventStoreDB. Their types begin with `$`. */
export const isServerRecord = ({ type }: { readonly type: string }): boolean => type.startsWith('$');
