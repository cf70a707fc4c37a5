import type { MediaAnalysis } from '../client/index.js';
import { messageOf } from './format.js';

type Half = 'faces' | 'speech';

/** The records that files are imported to. */
export interface Recording {
  readonly video_id: string;
  readonly audio_id: string;
  readonly title: string;
  /** Whether this import created it. */
  readonly isNew: boolean;
  /** The file from which faces and speech were imported. */
  readonly importedFrom: Map<Half, string>;
}

/** What the user chose: an existing video, or title and media address of a new one. */
export interface Target {
  readonly video_id: string;
  readonly title: string;
  readonly media_url: string;
}

const hasNoneOfKind = /contains no (?:faces|speech)/;

/** Whether a file is not in a format that the service knows. */
export const isUnrecognised = (error: unknown): boolean => /format is not recognised/.test(messageOf(error));

const mediaNames = /\.(?:mp4|m4[av]|mov|mkv|webm|avi|mpe?g|ts|wmv|mp3|wav|flac|ogg|opus|aac|wma|jpe?g|png|gif|webp)$/i;

/** Whether a file is a recording or picture itself, not a document about one. */
export const isMedia = ({ name, type }: File): boolean =>
  /^(?:video|audio|image)\//.test(type) || mediaNames.test(name);

const isError = (error: unknown, status: number): boolean =>
  error instanceof Error && Reflect.get(error, 'status') === status;

const hashOf = async (bytes: BufferSource): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');

/** An id from the contents of the files, so that the same files find their recording again; null without https. */
const idOf = async (files: ReadonlyArray<File>): Promise<string | null> => {
  if (!isSecureContext) return null;
  const hashes = await Promise.all(files.map(async (file) => hashOf(await file.arrayBuffer())));
  return `import-${(await hashOf(new TextEncoder().encode(hashes.toSorted().join()))).slice(0, 24)}`;
};

const existing = async (client: MediaAnalysis, video_id: string): Promise<Recording> => {
  const video = await client.videos.get(video_id);
  const title = video.title ?? video_id;
  const audio_id = video.audio_id ?? (await client.audios.create({ video_id, title })).audio_id;
  return { video_id, audio_id, title, isNew: false, importedFrom: new Map() };
};

/** The recording for files: the chosen one, the one that they were imported to before, or a new one. */
export const recordingOf = async (
  client: MediaAnalysis,
  files: ReadonlyArray<File>,
  target: Target,
): Promise<Recording> => {
  if (target.video_id !== '') return existing(client, target.video_id);
  const title = target.title.trim() === '' ? (files[0]?.name ?? '').replace(/\.[^.]*$/, '') : target.title.trim();
  const details = { title, media_url: target.media_url === '' ? null : target.media_url };
  const id = await idOf(files);
  const create = async (video_id: string | null): Promise<Recording> => {
    const created = await client.videos.create({ ...details, video_id });
    const { audio_id } = await client.audios.create({ video_id: created.video_id, title });
    return { video_id: created.video_id, audio_id, title, isNew: true, importedFrom: new Map() };
  };
  try {
    return await create(id);
  } catch (error) {
    if (id !== null && isError(error, 409)) {
      // What was entered this time counts.
      if (target.title.trim() !== '') await client.videos.update(id, { title });
      if (target.media_url !== '') await client.videos.update(id, { media_url: target.media_url });
      return existing(client, id);
    }
    // Somebody erased it, so that its id cannot be used again.
    if (id !== null && isError(error, 410)) return create(null);
    throw error;
  }
};

/** Imports a file and returns what was imported from it, in words. Throws the error of the service if it was nothing. */
export const send = async (
  client: MediaAnalysis,
  { video_id, audio_id, importedFrom }: Recording,
  file: File,
): Promise<string> => {
  const document = await file.text();
  const options = { query: { format: 'auto' } };
  const halves = [
    ['faces', () => client.videos.recordAnalysis(video_id, document, options)],
    ['speech', () => client.audios.recordAnalysis(audio_id, document, options)],
  ] as const;
  const imported: string[] = [];
  const failures: unknown[] = [];
  for (const [half, record] of halves) {
    const earlier = importedFrom.get(half);
    try {
      if (earlier !== undefined)
        throw new Error(
          `${earlier} has ${half} of this recording too; only the command "media-analysis import" joins several such files`,
        );
      await record();
      importedFrom.set(half, file.name);
      imported.push(half);
    } catch (error) {
      failures.push(error);
    }
  }
  if (imported.length > 0) return `${imported.join(' and ')} imported`;
  // A file of no known format is refused for that, and not because another file came first.
  throw (
    failures.find(isUnrecognised) ?? failures.find((failure) => !hasNoneOfKind.test(messageOf(failure))) ?? failures[0]
  );
};

/** Erases a recording. */
export const remove = async (
  client: MediaAnalysis,
  { video_id, audio_id }: { readonly video_id: string; readonly audio_id: string | null },
): Promise<void> => {
  await client.videos.erase(video_id);
  if (audio_id !== null) await client.audios.erase(audio_id);
};
