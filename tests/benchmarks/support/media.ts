import { createMedia } from '../../support/e2e/media.js';
import { newKey, type HttpClient, httpClient } from '../../support/http-client.js';
import { adminKey } from '../../support/service-process.js';

/** Faces of a benchmark's video, and speakers of its audio. */
export const faces = 6;

const ids = Array.from({ length: faces }, (_, id) => id);
/** An account's key that may also write analyses. */
export const issueKey = (url: string, account_id: string): Promise<string> =>
  newKey(httpClient(url, adminKey), account_id, { permissions: ['WORKER'] });

/** A video of six faces with an audio of six speakers, both analysed. */
export const registerMedia = (client: HttpClient, id: string): Promise<unknown> =>
  createMedia(
    { owner: client, worker: client },
    {
      ids: [id, `${id}-audio`],
      videoFields: { title: id },
      audioFields: { title: id },
      speakers: ids.map((speaker_id) => ({ speaker_id, name: `Speaker No ${speaker_id}` })),
      segments: ids.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 1 })),
      faces: ids.map((face) => ({
        id: face,
        name: `Person No ${face}`,
        personality_traits: { openness: 0.61, calm: 0.4 },
        tracks: [{ start: face, end: face + 1 }],
      })),
    },
  );
