import * as E from 'fp-ts/lib/Either.js';
import { audioAnalysis, videoAnalysis } from './analysis-bodies.js';
import { checkRights, refusedBefore } from './check-import.js';
import { type MediaRecords, provideMedia, type WantedMedia } from './media-records.js';
import type { Parcel } from './pack-files.js';
import { type RequestFailure, type ServiceAccess, serviceClient } from './service-client.js';

export type Target = Omit<WantedMedia, 'video' | 'audio'>;

/** The contract's limit of an analysis body. */
const largestBody = 100 * 1024 * 1024;

const tooLarge = (body: string | null): string | null => {
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  const mebibytes = (bytes / 1024 / 1024).toFixed(1);
  return bytes > largestBody ? `the analysis would be ${mebibytes} MiB; the service takes 100 MiB at most` : null;
};

/**
 * Sends what was imported to a running service: finds or creates the video and the audio, then puts their
 * analyses. What the service would refuse, and whether the key may send it, is checked before anything is created. Sending the same again replaces the analyses by equal ones, so a send that failed half-way is
 * repeated with the same ids. `tell` hears of each step that succeeded, in order, so that these ids are known.
 */
export const sendImport = async (
  access: ServiceAccess,
  { faces, speech, provider_supplied }: Parcel,
  target: Target,
  tell: (step: string) => void = () => undefined,
): Promise<E.Either<RequestFailure, MediaRecords>> => {
  const refused = refusedBefore({ faces, speech }, [target.videoId, target.audioId]);
  if (refused !== null) return E.left({ status: null, message: refused });
  const videoBody = faces === null ? null : JSON.stringify(videoAnalysis(faces));
  const audioBody = speech === null ? null : JSON.stringify(audioAnalysis(speech, provider_supplied));
  const fault = tooLarge(videoBody) ?? tooLarge(audioBody);
  if (fault !== null) return E.left({ status: null, message: fault });
  const ask = serviceClient(access);
  const rights = await checkRights(ask);
  if (E.isLeft(rights)) return rights;
  const wanted: WantedMedia = {
    ...target,
    video: faces !== null || target.videoId !== undefined,
    audio: speech !== null || target.audioId !== undefined,
  };
  const media = await provideMedia(ask, wanted, tell);
  if (E.isLeft(media)) return media;
  const { video, audio } = media.right;
  const sent = async (medium: 'video' | 'audio', id: string, body: string | null): Promise<RequestFailure | null> => {
    if (body === null) return null;
    const answer = await ask(`PUT /v2/${medium}s/${id}/analysis`, ({ videos, audios }) =>
      (medium === 'video' ? videos : audios).recordAnalysis(id, body),
    );
    if (E.isLeft(answer)) return answer.left;
    tell(`analysis of ${medium} ${id} ${answer.right.status}`);
    return null;
  };
  // One after the other: a failed first leaves the second unsent.
  const failure =
    (await sent('video', video?.id ?? '', videoBody)) ?? (await sent('audio', audio?.id ?? '', audioBody));
  if (failure !== null) return E.left(failure);
  return media;
};
