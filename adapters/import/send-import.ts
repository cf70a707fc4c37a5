import * as E from 'fp-ts/lib/Either.js';
import { VideoId, isAddressable } from '../../domain/kernel/ids.js';
import { audioAnalysis, videoAnalysis } from './analysis-bodies.js';
import { type MediaRecords, provideMedia, type WantedMedia } from './media-records.js';
import type { ImportContent } from './combine-files.js';
import { type SendRequest, type RequestFailure, type ServiceAccess, serviceClient } from './service-client.js';

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
