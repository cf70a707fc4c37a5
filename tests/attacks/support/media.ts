import { type Media, type MediaParts, createMedia } from '../../support/e2e/media.js';
import type { Scene } from './scene.js';

/** An owner's media and the keys of the owner and of a worker. */
export interface OwnedMedia extends Media {
  readonly owner: string;
  readonly worker: string;
}

const three = [1, 2, 3];
const usual = {
  faces: three.map((id) => ({ id })),
  speakers: three.map((speaker_id) => ({ speaker_id, name: `Ada No ${speaker_id}` })),
  segments: three.map((speaker_id) => ({ speaker_id, start: speaker_id, end: speaker_id + 1 })),
};

/** Registers a video with an audio, both analysed: three faces and three speakers unless something else is said. */
export const ownedMedia = async (scene: Scene, name: string, parts: MediaParts = {}): Promise<OwnedMedia> => {
  const [owner, worker] = [await scene.key('owner'), await scene.key('worker', ['WORKER'])];
  const callers = { owner: scene.client(owner), worker: scene.client(worker) };
  const media = await createMedia(callers, { ids: [`${name}-video`, `${name}-audio`], ...usual, ...parts });
  return { ...media, owner, worker };
};
