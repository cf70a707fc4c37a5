import { eraseAudio, eraseVideo } from '../../application/use-cases/erasure/erase.js';
import { setRetention } from '../../application/use-cases/access/manage-access.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { audio, video } from './application/media.js';
import type { World } from './application/world.js';
import { succeeded } from './event-store/outcomes.js';
import { accountId, audioId, videoId } from './values.js';

/** An audio is erased, and then the video that it belonged to. */
export const recordErasures = async ({ app, request }: World): Promise<void> => {
  await succeeded(registerVideo(app, request(), video('gone')));
  await succeeded(registerAudio(app, request(), audio('gone', 'gone')));
  await succeeded(eraseAudio(app, request(), audioId('gone')));
  await succeeded(eraseVideo(app, request(), videoId('gone')));
  await succeeded(setRetention(app, request(), accountId('owner'), 30));
};
