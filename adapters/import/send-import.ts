import * as E from 'fp-ts/lib/Either.js';
import { VideoId, isAddressable } from '../../domain/kernel/ids.js';
import { audioAnalysis, videoAnalysis, type ImportContent } from './combine-files.js';
import { ApiError, ConnectionError, MediaAnalysis, describeError } from '../client/index.js';

/** The records that an import needs, with the ids that the user gave. */
interface WantedMedia {
  readonly video: boolean;
  readonly audio: boolean;
  readonly videoId?: string | undefined;
  readonly audioId?: string | undefined;
  readonly title?: string | undefined;
}

/** The records of an import, and whether they were created. */
interface MediaRecords {
  readonly video: { readonly id: string; readonly created: boolean } | null;
  readonly audio: { readonly id: string; readonly created: boolean } | null;
}

/** The records, and whether the audio had a transcript before. */
interface ProvidedMedia {
  readonly records: MediaRecords;
  readonly hadTranscript: boolean;
}

type Failable<Value> = Promise<E.Either<RequestFailure, Value>>;

const isNotFound = 404;

const orNull = <Value>(answer: E.Either<RequestFailure, Value>): E.Either<RequestFailure, Value | null> =>
  E.isLeft(answer) && answer.left.status === isNotFound ? E.right(null) : answer;

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
const provideMedia = async (
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

/** The address of the service and the API key. */
export interface ServiceAccess {
  /** The service's base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API key with the permission `WORKER` or of an administrator. */
  readonly key: string;
}

/** A failed request. `status`: null if there was no answer. */
export interface RequestFailure {
  readonly status: number | null;
  readonly message: string;
}

/** Large analyses take some time. */
const timeoutMs = 120_000;

const failureOf = (what: string, error: unknown): RequestFailure => {
  const hint = 'start the service there, or say where it is with --url, MEDIA_ANALYSIS_URL or PORT';
  return {
    status: error instanceof ApiError ? error.status : null,
    message: error instanceof ConnectionError ? `${error.message}; ${hint}` : `${what}: ${describeError(error)}`,
  };
};

/** Sends a request. `what`: the request in words, for error messages. */
export type SendRequest = <Answer>(
  what: string,
  call: (client: MediaAnalysis) => PromiseLike<Answer>,
) => Promise<E.Either<RequestFailure, Answer>>;

/** A client of the service that returns failures as values. */
const serviceClient = ({ url, key }: ServiceAccess): SendRequest => {
  const client = new MediaAnalysis({ baseUrl: url, apiKey: key, timeoutMs });
  return async (what, call) => {
    try {
      return E.right(await call(client));
    } catch (error) {
      return E.left(failureOf(what, error));
    }
  };
};

export type Target = Omit<WantedMedia, 'video' | 'audio'>;

const notFound = 404;

const lacksWorker =
  'this key lacks the permission WORKER, which importing requires: use another key (--key, MEDIA_ANALYSIS_API_KEY), ' +
  'or ask an administrator to issue one: media-analysis keys issue <account> --permission WORKER';

/**
 * Fails if the key may not send analyses, so that nothing is created in vain. An older service without this endpoint
 * refuses the analyses itself.
 */
const checkRights = async (send: SendRequest): Promise<E.Either<RequestFailure, void>> => {
  const me = await send('GET /v1/me', (client) => client.me.get());
  if (E.isLeft(me)) return me.left.status === notFound ? E.right(undefined) : me;
  const { admin, permissions } = me.right;
  return admin || permissions.includes('WORKER') ? E.right(undefined) : E.left({ status: null, message: lacksWorker });
};

/** The limits of the service for one analysis. */
const limits = {
  faces: 2_000,
  tracks: 200_000,
  talking: 200_000,
  speakers: 1_000,
  segments: 200_000,
  utterances: 200_000,
};

/** Why the service would refuse an import; null if it would not. */
const refusalOf = (
  { faces, speech }: Pick<ImportContent, 'faces' | 'speech'>,
  ids: ReadonlyArray<string | undefined>,
): string | null => {
  const counts = {
    faces: faces?.faces.length ?? 0,
    tracks: faces?.faces.reduce((sum, { tracks }) => sum + tracks.length, 0) ?? 0,
    talking: faces?.faces.reduce((sum, { talking }) => sum + talking.length, 0) ?? 0,
    speakers: speech?.speakers.length ?? 0,
    segments: speech?.segments.length ?? 0,
    utterances: speech?.transcript?.utterances.length ?? 0,
  };
  const invalidId = ids.find((id) => id !== undefined && !(VideoId.is(id) && isAddressable(id)));
  if (invalidId !== undefined)
    return `the id ${invalidId} is not valid: use 1 to 128 of the characters A-Z a-z 0-9 . _ : - (but not . or ..)`;
  for (const name of ['faces', 'tracks', 'talking', 'speakers', 'segments', 'utterances'] as const)
    if (counts[name] > limits[name])
      return `the analysis would have ${counts[name]} ${name}; the service accepts at most ${limits[name]}`;
  return null;
};

/** The limit of the contract for the body of an analysis. */
const maxBodyBytes = 64 * 1024 * 1024;

const tooLarge = (body: string | null): string | null => {
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  const mebibytes = (bytes / 1024 / 1024).toFixed(1);
  return bytes > maxBodyBytes ? `the analysis would be ${mebibytes} MiB; the service accepts at most 64 MiB` : null;
};

/**
 * Sends an import to a running service: finds or creates the video and the audio, then writes their analyses. Limits and
 * permissions are checked before anything is created. Repeating an import replaces the analyses by equal ones, so one
 * that failed half-way can be repeated with the same ids. `onStep` is called after each step that succeeded.
 */
export const sendImport = async (
  access: ServiceAccess,
  { faces, speech, provider_supplied }: ImportContent,
  target: Target,
  onStep: (step: string) => void = () => undefined,
): Promise<E.Either<RequestFailure, MediaRecords>> => {
  const refused = refusalOf({ faces, speech }, [target.videoId, target.audioId]);
  if (refused !== null) return E.left({ status: null, message: refused });
  const videoBody = faces === null ? null : JSON.stringify(videoAnalysis(faces));
  const audioBody = speech === null ? null : JSON.stringify(audioAnalysis(speech, provider_supplied));
  const fault = tooLarge(videoBody) ?? tooLarge(audioBody);
  if (fault !== null) return E.left({ status: null, message: fault });
  const send = serviceClient(access);
  const rights = await checkRights(send);
  if (E.isLeft(rights)) return rights;
  const wanted: WantedMedia = {
    ...target,
    video: faces !== null || target.videoId !== undefined,
    audio: speech !== null || target.audioId !== undefined,
  };
  const media = await provideMedia(send, wanted, onStep);
  if (E.isLeft(media)) return media;
  const { records, hadTranscript } = media.right;
  const { video, audio } = records;
  const sent = async (medium: 'video' | 'audio', id: string, body: string | null): Promise<RequestFailure | null> => {
    if (body === null) return null;
    const answer = await send(`PUT /v2/${medium}s/${id}/analysis`, ({ videos, audios }) =>
      (medium === 'video' ? videos : audios).recordAnalysis(id, body),
    );
    if (E.isLeft(answer)) return answer.left;
    onStep(`analysis of ${medium} ${id} ${answer.right.status}`);
    return null;
  };
  // In sequence: if the first fails, the second is not sent.
  const failure =
    (await sent('video', video?.id ?? '', videoBody)) ?? (await sent('audio', audio?.id ?? '', audioBody));
  if (failure !== null) return E.left(failure);
  if (hadTranscript && speech !== null && speech.transcript === null)
    onStep(`noted: the audio ${audio?.id ?? ''} keeps its transcript, whose speaker numbers came from other labels`);
  return E.right(records);
};
