import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  type AudioRecord,
  type Call,
  type CallOptions,
  type MediaAnalysis,
  type RevertedChange,
  RevisionChangedError,
  type VideoRecord,
} from '../../client/index.js';
import { live, useAsked, useEvery } from '../hooks.js';
import { type Evidence, joined } from './lanes.js';

/** A change that the service refused because somebody else was faster. */
export interface Conflict {
  readonly what: string;
  /** Does it all the same. */
  readonly insist: () => Promise<void>;
  readonly dismiss: () => void;
}

/** Writes, and answers the position of what was written. */
type Write = (options: CallOptions) => Promise<string | null>;

/** Where a call wrote. */
export const positionOf = async (call: Call<unknown>): Promise<string | null> =>
  (await call.withResponse()).response.position;

export interface Records {
  readonly video: VideoRecord | null;
  readonly audio: AudioRecord | null;
  /** Another one after each change of either record. */
  readonly version: string;
  readonly error: unknown;
  readonly conflict: Conflict | null;
  /** Writes on the revision that is shown, of the video or the audio, and shows what became of it. */
  readonly write: (what: string, write: Write, of?: 'video' | 'audio') => Promise<void>;
  /** Takes back the newest of one's own changes; null where there is none. */
  readonly undo: () => Promise<RevertedChange | null>;
  readonly refresh: () => Promise<void>;
}

interface Known {
  readonly video: VideoRecord;
  readonly audio: AudioRecord | null;
  readonly revisions: { readonly video: number | null; readonly audio: number | null };
  readonly version: string;
}

/** A video with its audio as they stand now: what others change shows within a second. */
export const useVideo = (client: MediaAnalysis, video_id: string): Records => {
  const [known, setKnown] = useState<Known | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const done = useRef<string[]>([]);
  const shown = useRef('');
  const refresh = useCallback(async () => {
    try {
      const { data: video, response } = await client.videos.get(video_id).withResponse();
      const asked = video.audio_id === null ? null : await client.audios.get(video.audio_id).withResponse();
      const revisions = { video: response.revision, audio: asked === null ? null : asked.response.revision };
      const version = `${revisions.video}/${revisions.audio}`;
      // What has not changed is not drawn anew: it would take the focus away, and time.
      if (version !== shown.current) setKnown({ video, audio: asked === null ? null : asked.data, revisions, version });
      shown.current = version;
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  }, [client, video_id]);
  useEffect(() => void refresh(), [refresh]);
  useEvery(live, refresh);

  const carryOut = async (write: Write, options: CallOptions): Promise<void> => {
    const position = await write(options);
    if (position !== null) done.current.push(position);
    setConflict(null);
    await refresh();
  };
  const write: Records['write'] = async (what, writeIt, of = 'video') => {
    const ifMatch = known?.revisions[of] ?? null;
    try {
      await carryOut(writeIt, ifMatch === null ? {} : { ifMatch });
    } catch (reason) {
      await refresh();
      if (!(reason instanceof RevisionChangedError)) throw reason;
      setConflict({ what, insist: () => carryOut(writeIt, {}), dismiss: () => setConflict(null) });
    }
  };
  const undo = async (): Promise<RevertedChange | null> => {
    const position = done.current.at(-1);
    if (position === undefined) return null;
    const undone = await client.videos.revert(video_id, position);
    done.current.pop();
    await refresh();
    return undone;
  };
  const { video = null, audio = null, version = '' } = known ?? {};
  return { video, audio, version, error, conflict, write, undo, refresh };
};

const wholePage = 1_000;

/** All that was seen and heard; asked for anew where an analysis replaced it. */
export const useEvidence = (client: MediaAnalysis, video: VideoRecord | null, audio: AudioRecord | null) =>
  useAsked(
    async (signal): Promise<Evidence | null> => {
      if (video === null) return null;
      const faces = client.videos.tracks(video.video_id, { limit: wholePage }, { signal }).toArray();
      const turns =
        audio === null ? [] : client.audios.segments(audio.audio_id, { limit: wholePage }, { signal }).toArray();
      return joined(await faces, await turns);
    },
    [video?.video_id, video?.status, video?.faces.length, audio?.audio_id, audio?.status, audio?.speakers.length],
  );
