import * as E from 'fp-ts/lib/Either.js';
import type { SendRequest, RequestFailure } from './service-client.js';

/** The records that an import needs, with the ids that the user gave. */
export interface WantedMedia {
  readonly video: boolean;
  readonly audio: boolean;
  readonly videoId?: string | undefined;
  readonly audioId?: string | undefined;
  readonly title?: string | undefined;
}

/** The records of an import, and whether they were created. */
export interface MediaRecords {
  readonly video: { readonly id: string; readonly created: boolean } | null;
  readonly audio: { readonly id: string; readonly created: boolean } | null;
}

/** The records, and whether the audio had a transcript before. */
export interface ProvidedMedia {
  readonly records: MediaRecords;
  readonly hadTranscript: boolean;
}

type Failable<Value> = Promise<E.Either<RequestFailure, Value>>;

const notFound = 404;

const orNull = <Value>(answer: E.Either<RequestFailure, Value>): E.Either<RequestFailure, Value | null> =>
  E.isLeft(answer) && answer.left.status === notFound ? E.right(null) : answer;

const refused = (message: string): E.Either<RequestFailure, never> => E.left({ status: null, message });

/** The existing records; an error if the video and the audio do not belong together. */
const find = async (
  send: SendRequest,
  wanted: WantedMedia,
): Failable<{ video: string | null; audio: string | null; hadTranscript: boolean }> => {
  const { videoId } = wanted;
  const findVideo = async () =>
    orNull(
      videoId === undefined
        ? E.right(null)
        : await send(`GET /v2/videos/${videoId}`, ({ videos }) => videos.get(videoId)),
    );
  const video = await findVideo();
  if (E.isLeft(video)) return video;
  const linkedAudio = video.right?.audio_id ?? null;
  const audioId = wanted.audioId ?? (wanted.audio ? (linkedAudio ?? undefined) : undefined);
  const audio = orNull(
    audioId === undefined
      ? E.right(null)
      : await send(`GET /v2/audios/${audioId}`, ({ audios }) => audios.get(audioId)),
  );
  if (E.isLeft(audio)) return audio;
  if (wanted.audio && linkedAudio !== null && linkedAudio !== audioId)
    return refused(`the video ${wanted.videoId ?? ''} already has the audio ${linkedAudio}; use that audio id`);
  const parent = audio.right?.video_id ?? null;
  const linked = video.right !== null && parent === video.right.video_id;
  if (wanted.video && audio.right !== null && !linked && (parent !== null || video.right !== null)) {
    // If the video was erased after the first request, its audio is no longer linked: report the erasure instead.
    const now = await findVideo();
    if (E.isLeft(now)) return now;
    return refused(`the audio ${audio.right.audio_id} exists already and is not linked to this video`);
  }
  return E.right({
    video: video.right?.video_id ?? null,
    audio: audio.right?.audio_id ?? null,
    hadTranscript: audio.right?.transcript_available ?? false,
  });
};

/**
 * Finds the wanted video and audio in the service and creates what is missing, linked to each other. Without an
 * id for the audio, the audio of an existing video is used. `onStep` is called for each record that was created.
 */
export const provideMedia = async (
  send: SendRequest,
  wanted: WantedMedia,
  onStep: (step: string) => void,
): Failable<ProvidedMedia> => {
  const found = await find(send, wanted);
  if (E.isLeft(found)) return found;
  let videoId = found.right.video;
  if (wanted.video && videoId === null) {
    const audio_id = found.right.audio ?? undefined;
    const body = { video_id: wanted.videoId, title: wanted.title, audio_id };
    const created = await send('POST /v2/videos', ({ videos }) => videos.create(body));
    if (E.isLeft(created)) return created;
    videoId = created.right.video_id;
    onStep(`video ${videoId} created`);
  }
  let audioId = found.right.audio;
  if (wanted.audio && audioId === null) {
    const body = { audio_id: wanted.audioId, title: wanted.title, video_id: videoId ?? undefined };
    const created = await send('POST /v2/audios', ({ audios }) => audios.create(body));
    if (E.isLeft(created)) return created;
    audioId = created.right.audio_id;
    onStep(`audio ${audioId} created`);
  }
  const records = {
    video: videoId === null ? null : { id: videoId, created: found.right.video === null },
    audio: audioId === null ? null : { id: audioId, created: found.right.audio === null },
  };
  return E.right({ records, hadTranscript: found.right.hadTranscript });
};
