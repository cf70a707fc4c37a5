import { type HttpAnswer, bodyOf } from '../http-client.js';
import { AudioRecord, VideoRecord } from '../../../projections/views.js';
import type { Callers } from './cast.js';

/** A video and its audio, as tests name them. */
export interface Media {
  readonly videoId: string;
  readonly audioId: string;
  /** The path of the video. */
  readonly video: string;
  /** The path of the audio. */
  readonly audio: string;
  /** The path of PUT speaker-face-match and of the commit-mode trigger. */
  readonly match: string;
  readonly suggestions: string;
  readonly writeBack: string;
  readonly runs: string;
  readonly statuses: string;
}

export interface MediaParts {
  readonly faces?: ReadonlyArray<{ readonly id: number; readonly [field: string]: unknown }>;
  readonly speakers?: ReadonlyArray<{ readonly speaker_id: number; readonly [field: string]: unknown }>;
  readonly segments?: ReadonlyArray<object>;
  readonly transcript?: ReadonlyArray<object>;
  /** Null: no analysis came yet. */
  readonly videoStatus?: 'queue' | 'processing' | 'completed' | 'failed' | null;
  readonly audioStatus?: 'queue' | 'processing' | 'completed' | 'failed' | null;
  /** The video has no audio; the audio has no parent. */
  readonly apart?: boolean;
}

let made = 0;

export const mediaNamed = (videoId: string, audioId: string): Media => {
  const video = `/v2/videos/${videoId}`;
  return {
    videoId,
    audioId,
    video,
    audio: `/v2/audios/${audioId}`,
    match: `${video}/speaker-face-match`,
    suggestions: `${video}/speaker-face-match/suggestions`,
    writeBack: `${video}/matched_speakers`,
    runs: `${video}/match-runs`,
    statuses: `${video}/statuses?speaker_face_match_status=true`,
  };
};

/** The answer of a request that is a step of the test, not its subject: anything but 200 fails the test. */
export const done = async (answer: Promise<HttpAnswer>): Promise<HttpAnswer> => {
  const came = await answer;
  if (came.status !== 200) throw new Error(`a step answered ${came.status}: ${came.text}`);
  return came;
};

const usualFaces = [{ id: 1 }, { id: 2, name: 'Grace Hopper' }, { id: 3 }];
const usualSpeakers = [
  { speaker_id: 1, name: 'Ada Lovelace' },
  { speaker_id: 2, name: 'Alan Turing' },
  { speaker_id: 3 },
];

/** The owner's video with faces 1, 2 (who has a name) and 3, its audio with speakers 1, 2 (who have names) and 3. */
export const mediaOf = async ({ owner, worker }: Callers, parts: MediaParts = {}): Promise<Media> => {
  made += 1;
  const media = mediaNamed(`video-${made}`, `audio-${made}`);
  const { faces = usualFaces, speakers = usualSpeakers, segments = [], transcript, apart = false } = parts;
  const { videoStatus = 'completed', audioStatus = 'completed' } = parts;
  await done(owner.post('/v2/videos', { video_id: media.videoId }));
  await done(
    owner.post('/v2/audios', {
      audio_id: media.audioId,
      ...(apart ? {} : { video_id: media.videoId }),
      kind: 'upload',
    }),
  );
  if (videoStatus !== null)
    await done(
      worker.put(`${media.video}/analysis`, {
        status: videoStatus,
        faces: faces.map((face) => ({ tracks: [{ start: 0, end: 10 }], ...face })),
      }),
    );
  if (audioStatus !== null)
    await done(
      worker.put(`${media.audio}/analysis`, {
        status: audioStatus,
        speakers,
        segments,
        ...(transcript === undefined ? {} : { transcript }),
      }),
    );
  return media;
};

/** Media of these parts, made once for all who ask: refusals leave them as they were. */
export const once = <Parts extends object>(
  make: (parts: Parts) => Promise<Media>,
): ((parts: Parts) => Promise<Media>) => {
  const known = new Map<string, Promise<Media>>();
  return (parts) => {
    const key = JSON.stringify(parts);
    const media = known.get(key) ?? make(parts);
    known.set(key, media);
    return media;
  };
};

export const videoOf = async ({ admin }: Callers, { video }: Media): Promise<VideoRecord> =>
  bodyOf(VideoRecord, await admin.get(video));

export const audioOf = async ({ admin }: Callers, { audio }: Media): Promise<AudioRecord> =>
  bodyOf(AudioRecord, await admin.get(audio));

export const faceOf = async (cast: Callers, media: Media, id: number): Promise<VideoRecord['faces'][number]> => {
  const face = (await videoOf(cast, media)).faces.find((one) => one.id === id);
  if (face === undefined) throw new Error(`no face ${id}`);
  return face;
};

export const speakerOf = async (cast: Callers, media: Media, id: number): Promise<AudioRecord['speakers'][number]> => {
  const speaker = (await audioOf(cast, media)).speakers.find(({ speaker_id }) => speaker_id === id);
  if (speaker === undefined) throw new Error(`no speaker ${id}`);
  return speaker;
};
