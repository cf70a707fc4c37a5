import type { ImportedFaces, ImportedSpeech } from './imported.js';

/** The body of `PUT /v2/videos/{video_id}/analysis`. */
export const videoAnalysis = ({ faces }: ImportedFaces): object => ({
  status: 'completed',
  faces: faces.map(({ id, name, tracks, talking, boxes }) => ({
    id,
    name,
    tracks,
    ...(talking.length === 0 ? {} : { talking }),
    ...(boxes.length === 0 ? {} : { boxes }),
  })),
});

/**
 * The body of `PUT /v2/audios/{audio_id}/analysis`. Unknown values and the defaults of the endpoint are omitted.
 */
export const audioAnalysis = ({ speakers, segments, transcript }: ImportedSpeech, supplied: boolean): object => ({
  status: 'completed',
  speakers: speakers.map(({ speaker_id, name, role, synthetic }) => ({
    speaker_id,
    ...(name === null ? {} : { name }),
    ...(role === null ? {} : { role }),
    ...(synthetic ? { synthetic } : {}),
  })),
  segments,
  ...(transcript === null ? {} : { transcript: transcript.utterances, provider_supplied: supplied }),
});
