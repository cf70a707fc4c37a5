import type { MediaAnalysis } from '../../../adapters/client/index.js';

const faces = 200;
const speakers = 50;
const intervals = 20_000;
const hours = 3;
const duration = hours * 3_600;

export const longVideo = { hours, faces, speakers, intervals };

const spread = (count: number, seconds: number) =>
  Array.from({ length: count }, (_, at) => {
    const start = (duration / count) * at * 0.99;
    return { start, end: Math.min(duration, start + seconds) };
  });

/** A video of three hours with many speakers: half of its intervals are face tracks, half are speaker turns. */
export const importLongVideo = async (client: MediaAnalysis): Promise<string> => {
  const { video_id } = await client.videos.create({ title: 'Three hours' });
  const { audio_id } = await client.audios.create({ video_id });
  const each = intervals / 2 / faces;
  await client.videos.recordAnalysis(video_id, {
    status: 'completed',
    faces: Array.from({ length: faces }, (_, id) => ({
      id,
      tracks: spread(each, 40),
      talking: spread(each, 20).map((one, at) => ({ ...one, score: (at % 10) / 10 })),
    })),
  });
  const turns = Array.from({ length: speakers }, (_, speaker_id) =>
    spread(intervals / 2 / speakers, 5).map((one) => ({ ...one, speaker_id })),
  ).flat();
  await client.audios.recordAnalysis(audio_id, {
    status: 'completed',
    speakers: Array.from({ length: speakers }, (_, speaker_id) => ({ speaker_id })),
    segments: turns,
    transcript: spread(duration / 20, 10).map((one, at) => ({
      ...one,
      speaker_id: at % speakers,
      text: `This is sentence ${at} of the panel.`,
    })),
  });
  return video_id;
};
