import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  type AudioRecord,
  type Call,
  type CallOptions,
  type MediaAnalysis,
  RevisionChangedError,
  type VideoRecord,
} from '../../client/index.js';
import { useAsked, useEvery } from '../hooks.js';
import { type Evidence, joined } from './lanes.js';

const every_ms = 800;

/** A change that the service refused because somebody else was faster. */
export interface Conflict {
  readonly what: string;
  /** Does it all the same. */
  readonly insist: () => Promise<void>;
  readonly dismiss: () => void;
}

type Write = (options: CallOptions) => Call<unknown>;

export interface Records {
  readonly video: VideoRecord | null;
  readonly audio: AudioRecord | null;
  /** Another one after each change of either record. */
  readonly version: string;
  readonly error: unknown;
  readonly conflict: Conflict | null;
  /** Writes on the revision that is shown, and shows what became of it. */
  readonly write: (what: string, write: Write) => Promise<void>;
  /** Takes back the newest of one's own changes; false where there is none. */
  readonly undo: () => Promise<boolean>;
  readonly refresh: () => Promise<void>;
}

interface Known {
  readonly video: VideoRecord;
  readonly audio: AudioRecord | null;
  readonly revision: number | null;
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
      const version = `${response.revision}/${asked?.response.revision}`;
      // What has not changed is not drawn anew: it would take the focus away, and time.
      if (version !== shown.current)
        setKnown({ video, audio: asked === null ? null : asked.data, revision: response.revision, version });
      shown.current = version;
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  }, [client, video_id]);
  useEffect(() => void refresh(), [refresh]);
  useEvery(every_ms, refresh);

  const carryOut = async (write: Write, options: CallOptions): Promise<void> => {
    const { response } = await write(options).withResponse();
    if (response.position !== null) done.current.push(response.position);
    setConflict(null);
    await refresh();
  };
  const write = async (what: string, writeIt: Write): Promise<void> => {
    const ifMatch = known?.revision ?? null;
    try {
      await carryOut(writeIt, ifMatch === null ? {} : { ifMatch });
    } catch (reason) {
      await refresh();
      if (!(reason instanceof RevisionChangedError)) throw reason;
      setConflict({ what, insist: () => carryOut(writeIt, {}), dismiss: () => setConflict(null) });
    }
  };
  const undo = async (): Promise<boolean> => {
    const position = done.current.at(-1);
    if (position === undefined) return false;
    await client.videos.revert(video_id, position);
    done.current.pop();
    await refresh();
    return true;
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
