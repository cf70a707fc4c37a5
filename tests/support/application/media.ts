import type { Renumbering } from '../../../domain/kernel/renumbering.js';
import { registerAudio, registerVideo } from '../../../application/use-cases/videos/register.js';
import type { RegisterAudio } from '../../../domain/audio/contract.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import type { RegisterVideo } from '../../../domain/video/contract.js';
import type { RegisteredVideo } from '../../../domain/video/state.js';
import { succeeded } from '../event-store/outcomes.js';
import { accountId, audioId, videoId } from '../values.js';
import type { World } from './world.js';
import { foundFaces, foundSpeakers, recordAudioAnalysis, recordVideoAnalysis } from './record.js';

const common = { owner_id: accountId('owner'), title: null, kind: 'upload' as const };

export const video = (id: string, audio: string | null = null): RegisterVideo => ({
  type: 'RegisterVideo',
  video_id: videoId(id),
  ...common,
  media_url: null,
  audio_id: audio === null ? null : audioId(audio),
});

export const audio = (id: string, parent: string | null = null): RegisterAudio => ({
  type: 'RegisterAudio',
  audio_id: audioId(id),
  ...common,
  video_id: parent === null ? null : videoId(parent),
  deal_persons: [],
});

export const analyseFaces = (
  { app, request }: World,
  id: string,
  faces: Parameters<typeof foundFaces>[0],
): Promise<Renumbering> => succeeded(recordVideoAnalysis(app, request(), videoId(id), foundFaces(faces)));

export const analyseSpeakers = (
  { app, request }: World,
  id: string,
  speakers: Parameters<typeof foundSpeakers>[0],
): Promise<Renumbering> => succeeded(recordAudioAnalysis(app, request(), audioId(id), foundSpeakers(speakers)));

/** A completed video with two faces and its completed audio with two speakers, both with the same id. */
export const completedMedia = async (world: World, id: string): Promise<void> => {
  await succeeded(registerVideo(world.app, world.request(), video(id)));
  await succeeded(registerAudio(world.app, world.request(), audio(id, id)));
  await analyseFaces(world, id, [
    [1, null],
    [2, 'Zoe'],
  ]);
  await analyseSpeakers(world, id, [
    [1, 'Ann'],
    [2, null],
  ]);
};

export const videoState = async ({ app }: World, id: string): Promise<RegisteredVideo> => {
  const { state } = await succeeded(app.videos.load(id));
  if (state._tag !== 'Registered') throw new Error(`no video ${id}`);
  return state;
};

export const audioState = async ({ app }: World, id: string): Promise<RegisteredAudio> => {
  const { state } = await succeeded(app.audios.load(id));
  if (state._tag !== 'Registered') throw new Error(`no audio ${id}`);
  return state;
};
