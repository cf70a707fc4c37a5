import { newKey } from '../../support/accounts.js';
import { type HttpClient, httpClient } from '../../support/http-client.js';
import { adminKey } from '../../support/service-process.js';

/** Faces of a benchmark's video, and speakers of its audio. */
export const faces = 6;

const ids = Array.from({ length: faces }, (_, id) => id);
/** An account's key that may also write analyses. */
export const issueKey = (url: string, account_id: string): Promise<string> =>
  newKey(httpClient(url, adminKey), account_id, { permissions: ['WORKER'] });

/** A video of six faces with an audio of six speakers, both analysed. */
export const registerMedia = async (client: HttpClient, id: string): Promise<void> => {
  const audio_id = `${id}-audio`;
  const done = [
    await client.post('/v2/videos', { video_id: id, title: id }),
    await client.post('/v2/audios', { audio_id, video_id: id, title: id }),
    await client.put(`/v2/audios/${audio_id}/analysis`, {
      status: 'completed',
      speakers: ids.map((speaker_id) => ({ speaker_id, name: `Speaker No ${speaker_id}` })),
      segments: ids.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 1 })),
    }),
    await client.put(`/v2/videos/${id}/analysis`, {
      status: 'completed',
      faces: ids.map((face) => ({
        id: face,
        name: `Person No ${face}`,
        personality_traits: { openness: 0.61, calm: 0.4 },
        tracks: [{ start: face, end: face + 1 }],
      })),
    }),
  ];
  for (const { status, text } of done) if (status !== 200) throw new Error(`${id}: answered ${status}: ${text}`);
};
