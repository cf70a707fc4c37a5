import * as E from 'fp-ts/lib/Either.js';
import { VideoId, isAddressable } from '../../domain/kernel/ids.js';
import { audioAnalysis, videoAnalysis, type ImportContent } from './recording-files.js';
import { ApiError, ConnectionError, MediaAnalysis, describeError } from '../client/index.js';

/** The address of the service and the API key. */
export interface ServiceAccess {
  /** The service's base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** An API key with the permission `WORKER` or of an administrator. */
  readonly key: string;
}

/** The ids and the title that the user gave. */
export interface Target {
  readonly videoId?: string | undefined;
  readonly audioId?: string | undefined;
  readonly title?: string | undefined;
}

/** The records that an import needs. */
interface WantedMedia extends Target {
  readonly video: boolean;
  readonly audio: boolean;
}

interface MediaRecord {
  readonly id: string;
  readonly created: boolean;
}

/** The records of an import, and whether they were created. */
interface MediaRecords {
  readonly video: MediaRecord | null;
  readonly audio: MediaRecord | null;
}

/** A failed request, or why there will be none. */
class SendingFailed extends Error {
  /** Null if there was no answer. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

const refuse = (message: string): never => {
  throw new SendingFailed(message);
};

/** Sends a request. `what`: the request in words, for error messages. */
type SendRequest = <Answer>(what: string, call: (client: MediaAnalysis) => PromiseLike<Answer>) => Promise<Answer>;

/** Large analyses take some time. */
const timeoutMs = 120_000;

const hint = 'start the service there, or say where it is with --url, MEDIA_ANALYSIS_URL or PORT';

const serviceClient = ({ url, key }: ServiceAccess): SendRequest => {
  const client = new MediaAnalysis({ baseUrl: url, apiKey: key, timeoutMs });
  return async (what, call) => {
    try {
      return await call(client);
    } catch (error) {
      const isUnanswered = error instanceof ConnectionError;
      throw new SendingFailed(
        isUnanswered ? `${error.message}; ${hint}` : `${what}: ${describeError(error)}`,
        error instanceof ApiError ? error.status : null,
      );
    }
  };
};

/** What a request gives; null for what the service does not have. */
const orNull = async <Answer>(request: Promise<Answer>): Promise<Answer | null> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof SendingFailed && error.status === 404) return null;
    throw error;
  }
};

/**
 * Finds the wanted video and audio in the service and creates what is missing, linked to each other. Without an
 * id for the audio, the audio of an existing video is used. Refused if the two do not belong together. `onStep` is called
 * for each record that was created.
 */
const provideMedia = async (send: SendRequest, wanted: WantedMedia, onStep: (step: string) => void) => {
  const { videoId, title } = wanted;
  const findVideo = async () =>
    videoId === undefined ? null : orNull(send(`GET /v2/videos/${videoId}`, ({ videos }) => videos.get(videoId)));
  const video = await findVideo();
  const linkedAudio = video?.audio_id ?? null;
  const audioId = wanted.audioId ?? (wanted.audio ? linkedAudio : null);
  const audio =
    audioId === null ? null : await orNull(send(`GET /v2/audios/${audioId}`, ({ audios }) => audios.get(audioId)));
  if (wanted.audio && linkedAudio !== null && linkedAudio !== audioId)
    refuse(`the video ${videoId ?? ''} already has the audio ${linkedAudio}; use that audio id`);
  const parent = audio?.video_id ?? null;
  const linked = video !== null && parent === video.video_id;
  if (wanted.video && audio !== null && !linked && (parent !== null || video !== null)) {
    // If the video was erased after the first request, its audio is no longer linked: report the erasure instead.
    await findVideo();
    refuse(`the audio ${audio.audio_id} exists already and is not linked to this video`);
  }
  let records: MediaRecords = {
    video: video && { id: video.video_id, created: false },
    audio: audio && { id: audio.audio_id, created: false },
  };
  if (wanted.video && video === null) {
    const body = { video_id: videoId, title, audio_id: audio?.audio_id };
    const { video_id: id } = await send('POST /v2/videos', ({ videos }) => videos.create(body));
    records = { ...records, video: { id, created: true } };
    onStep(`video ${id} created`);
  }
  if (wanted.audio && audio === null) {
    const body = { audio_id: audioId ?? undefined, title, video_id: records.video?.id };
    const { audio_id: id } = await send('POST /v2/audios', ({ audios }) => audios.create(body));
    records = { ...records, audio: { id, created: true } };
    onStep(`audio ${id} created`);
  }
  return { records, hadTranscript: audio?.transcript_available ?? false };
};

const lacksWorker =
  'this key lacks the permission WORKER, which importing requires: use another key (--key, MEDIA_ANALYSIS_API_KEY), ' +
  'or ask an administrator to issue one: media-analysis keys issue <account> --permission WORKER';

/** Fails if the key may not send analyses, so that nothing is created in vain. */
const checkRights = async (send: SendRequest): Promise<void> => {
  const { admin, permissions } = await send('GET /v1/me', ({ me }) => me.get());
  if (!admin && !permissions.includes('WORKER')) refuse(lacksWorker);
};

/** Refuses what the service would refuse: ids that are not valid, and lists that are longer than its limits. */
const checkLimits = ({ faces, speech }: ImportContent, { videoId, audioId }: Target): void => {
  const invalidId = [videoId, audioId].find((id) => id !== undefined && !(VideoId.is(id) && isAddressable(id)));
  if (invalidId !== undefined)
    refuse(`the id ${invalidId} is not valid: use 1 to 128 of the characters A-Z a-z 0-9 . _ : - (but not . or ..)`);
  const seen = faces?.faces ?? [];
  const lists: ReadonlyArray<readonly [name: string, count: number, limit: number]> = [
    ['faces', seen.length, 2_000],
    ['tracks', seen.reduce((sum, { tracks }) => sum + tracks.length, 0), 200_000],
    ['talking', seen.reduce((sum, { talking }) => sum + talking.length, 0), 200_000],
    ['speakers', speech?.speakers.length ?? 0, 1_000],
    ['segments', speech?.segments.length ?? 0, 200_000],
    ['utterances', speech?.transcript?.utterances.length ?? 0, 200_000],
  ];
  for (const [name, count, limit] of lists)
    if (count > limit) refuse(`the analysis would have ${count} ${name}; the service accepts at most ${limit}`);
};

/** The limit of the contract for the body of an analysis. */
const maxBodyBytes = 64 * 1024 * 1024;

const bodyOf = (analysis: object | null): string | null => {
  const body = analysis === null ? null : JSON.stringify(analysis);
  const bytes = Buffer.byteLength(body ?? '');
  if (bytes > maxBodyBytes)
    refuse(`the analysis would be ${(bytes / 1024 / 1024).toFixed(1)} MiB; the service accepts at most 64 MiB`);
  return body;
};

/**
 * Sends an import to a running service: finds or creates the video and the audio, then writes their analyses. Limits and
 * permissions are checked before anything is created. Repeating an import replaces the analyses by equal ones, so one
 * that failed half-way can be repeated with the same ids. `onStep` is called after each step that succeeded. The error
 * says which request failed and why.
 */
export const sendImport = async (
  access: ServiceAccess,
  content: ImportContent,
  target: Target,
  onStep: (step: string) => void = () => undefined,
): Promise<E.Either<string, MediaRecords>> => {
  const { faces, speech, provider_supplied } = content;
  try {
    checkLimits(content, target);
    const videoBody = bodyOf(faces && videoAnalysis(faces));
    const audioBody = bodyOf(speech && audioAnalysis(speech, provider_supplied));
    const send = serviceClient(access);
    await checkRights(send);
    const wanted: WantedMedia = {
      ...target,
      video: faces !== null || target.videoId !== undefined,
      audio: speech !== null || target.audioId !== undefined,
    };
    const { records, hadTranscript } = await provideMedia(send, wanted, onStep);
    const sendBody = async (medium: 'video' | 'audio', body: string | null): Promise<void> => {
      const id = records[medium]?.id ?? '';
      if (body === null) return;
      const { status } = await send(`PUT /v2/${medium}s/${id}/analysis`, ({ videos, audios }) =>
        (medium === 'video' ? videos : audios).recordAnalysis(id, body),
      );
      onStep(`analysis of ${medium} ${id} ${status}`);
    };
    // In sequence: if the first fails, the second is not sent.
    await sendBody('video', videoBody);
    await sendBody('audio', audioBody);
    if (hadTranscript && speech !== null && speech.transcript === null)
      onStep(
        `noted: the audio ${records.audio?.id ?? ''} keeps its transcript, whose speaker numbers came from other labels`,
      );
    return E.right(records);
  } catch (error) {
    if (error instanceof SendingFailed) return E.left(error.message);
    throw error;
  }
};
