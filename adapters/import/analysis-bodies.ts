import type { ImportedDiarisation, ImportedFaces } from './imported.js';

/** The body of `PUT /v2/videos/{video_id}/analysis`. */
export const videoAnalysis = ({ faces }: ImportedFaces): string => JSON.stringify({ status: 'completed', faces });

/** The body of `PUT /v2/audios/{audio_id}/analysis`; a diarisation knows no names and has no transcript. */
export const audioAnalysis = ({ speakers, segments }: ImportedDiarisation): string =>
  JSON.stringify({
    status: 'completed',
    speakers: speakers.map(({ speaker_id }) => ({ speaker_id })),
    segments,
  });
