import { type HttpAnswer, bodyOf } from '../http-client.js';
import { AudioRecord, VideoRecord } from '../../../projections/views.js';
import type { Callers } from './test-api.js';

/** Ids and paths of a video and its audio. */
export interface Media {
  readonly videoId: string;
  readonly audioId: string;
  /** These are paths. */
  readonly video: string;
  readonly audio: string;
  /** PUT speaker-face-match, and POST for a run in commit mode. */
  readonly match: string;
  readonly suggestions: string;
  readonly writeBack: string;
  readonly runs: string;
  readonly statuses: string;
}

export interface MediaParts {
  /** Of the video and the audio; new ones by default. */
  readonly ids?: readonly [video: string, audio: string];
  readonly faces?: ReadonlyArray<{ readonly id: number; readonly [field: string]: unknown }>;
  readonly speakers?: ReadonlyArray<{ readonly speaker_id: number; readonly [field: string]: unknown }>;
  readonly segments?: ReadonlyArray<object>;
  /** Null, or absent: the analysis brings none. */
  readonly transcript?: ReadonlyArray<object> | null;
  /** Null when there is no analysis yet. */
  readonly videoStatus?: 'queue' | 'processing' | 'completed' | 'failed' | null;
  readonly audioStatus?: 'queue' | 'processing' | 'completed' | 'failed' | null;
  /** The audio is not linked to the video. */
  readonly apart?: boolean;
  /** More fields of the registrations, and of the audio's analysis. */
  readonly videoFields?: object;
  readonly audioFields?: object;
  readonly analysisFields?: object;
}

let made = 0;

export const mediaPaths = (videoId: string, audioId: string): Media => {
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

/** Returns the answer to a request that prepares a test. Fails the test when the status is not 200. */
export const expectOk = async (answer: Promise<HttpAnswer>): Promise<HttpAnswer> => {
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

/** Creates the owner's video with faces 1, 2 (named) and 3, and its audio with speakers 1 and 2 (named) and 3. */
export const createMedia = async (
  { owner, worker }: Pick<Callers, 'owner' | 'worker'>,
  parts: MediaParts = {},
): Promise<Media> => {
  made += 1;
  const { ids: [videoId, audioId] = [`video-${made}`, `audio-${made}`], videoFields = {}, audioFields = {} } = parts;
  const media = mediaPaths(videoId, audioId);
  const { faces = usualFaces, speakers = usualSpeakers, segments = [], transcript = null, apart = false } = parts;
  const { videoStatus = 'completed', audioStatus = 'completed', analysisFields = {} } = parts;
  const parent = apart ? {} : { video_id: videoId };
  await expectOk(owner.post('/v2/videos', { video_id: videoId, ...videoFields }));
  await expectOk(owner.post('/v2/audios', { audio_id: audioId, ...parent, kind: 'upload', ...audioFields }));
  if (videoStatus !== null)
    await expectOk(
      worker.put(`${media.video}/analysis`, {
        status: videoStatus,
        faces: faces.map((face) => ({ tracks: [{ start: 0, end: 10 }], ...face })),
      }),
    );
  const said = transcript === null ? {} : { transcript };
  if (audioStatus !== null)
    await expectOk(
      worker.put(`${media.audio}/analysis`, { status: audioStatus, speakers, segments, ...said, ...analysisFields }),
    );
  return media;
};

export const getVideo = async ({ admin }: Callers, { video }: Media): Promise<VideoRecord> =>
  bodyOf(VideoRecord, await admin.get(video));

export const getAudio = async ({ admin }: Callers, { audio }: Media): Promise<AudioRecord> =>
  bodyOf(AudioRecord, await admin.get(audio));

export const getFace = async (api: Callers, media: Media, id: number): Promise<VideoRecord['faces'][number]> => {
  const face = (await getVideo(api, media)).faces.find((one) => one.id === id);
  if (face === undefined) throw new Error(`no face ${id}`);
  return face;
};
