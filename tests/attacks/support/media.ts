import { type Media, mediaPaths } from '../../support/e2e/media.js';
import type { Scene } from './scene.js';

/** An owner's media and the keys of the owner and of a worker. */
export interface OwnedMedia extends Media {
  readonly owner: string;
  readonly worker: string;
}

interface Parts {
  readonly faces?: ReadonlyArray<object>;
  readonly speakers?: ReadonlyArray<object>;
  readonly segments?: ReadonlyArray<object>;
  readonly transcript?: ReadonlyArray<object>;
}

const three = [1, 2, 3];

/** Registers a video with an audio, both analysed: three faces and three speakers unless something else is said. */
export const ownedMedia = async (scene: Scene, name: string, parts: Parts = {}): Promise<OwnedMedia> => {
  const [owner, worker] = [await scene.key('owner'), await scene.key('worker', ['WORKER'])];
  const media = mediaPaths(`${name}-video`, `${name}-audio`);
  const { faces = three.map((id) => ({ id, tracks: [{ start: 0, end: 10 }] })) } = parts;
  const { speakers = three.map((speaker_id) => ({ speaker_id, name: `Ada No ${speaker_id}` })) } = parts;
  const { segments = three.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 1 })) } = parts;
  const [asOwner, asWorker] = [scene.client(owner), scene.client(worker)];
  const done = [
    await asOwner.post('/v2/videos', { video_id: media.videoId }),
    await asOwner.post('/v2/audios', { audio_id: media.audioId, video_id: media.videoId, kind: 'upload' }),
    await asWorker.put(`${media.audio}/analysis`, {
      status: 'completed',
      speakers,
      segments,
      ...(parts.transcript === undefined ? {} : { transcript: parts.transcript }),
    }),
    await asWorker.put(`${media.video}/analysis`, { status: 'completed', faces }),
  ];
  for (const { status, text } of done) if (status !== 200) throw new Error(`${name}: ${status} ${text}`);
  return { ...media, owner, worker };
};
