import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import {
  type AudioRecord,
  type Call,
  type CallOptions,
  type LinkDecision,
  type MediaAnalysis,
  type Question,
  type RevertedChange,
  RevisionChangedError,
  type VideoRecord,
} from '../../client/index.js';
import { pollMs, useQuery, useEvery } from '../hooks.js';
import { type Evidence, groupEvidence } from './lanes.js';

/** A change that was refused because somebody else changed the record first. */
export interface Conflict {
  readonly what: string;
  /** Makes the change anyway. */
  readonly insist: () => Promise<void>;
  readonly dismiss: () => void;
}

/** Makes a change and returns the position of its event. */
type Write = (options: CallOptions) => Promise<string | null>;

/** The position of the event that a call wrote. */
export const positionOf = async (call: Call<unknown>): Promise<string | null> =>
  (await call.withResponse()).response.position;

export interface Records {
  readonly video: VideoRecord | null;
  readonly audio: AudioRecord | null;
  /** The decisions that stand. */
  readonly decisions: ReadonlyArray<LinkDecision>;
  /** The open questions about this video. */
  readonly questions: ReadonlyArray<Question>;
  /** Different after each change of either record. */
  readonly version: string;
  readonly error: unknown;
  readonly conflict: Conflict | null;
  /** Makes a change to the revision on the screen (of the video, or the audio) and refreshes. `what`: the change in words. */
  readonly write: (what: string, write: Write, of?: 'video' | 'audio') => Promise<void>;
  /** Reverts the latest change made on this page; null if there is none. */
  readonly undo: () => Promise<RevertedChange | null>;
  readonly refresh: () => Promise<void>;
}

interface Known {
  readonly video: VideoRecord;
  readonly audio: AudioRecord | null;
  readonly decisions: ReadonlyArray<LinkDecision>;
  readonly questions: ReadonlyArray<Question>;
  readonly revisions: { readonly video: number | null; readonly audio: number | null };
  readonly version: string;
}

/** A video with its audio, refreshed within a second when others change them. */
export const useVideo = (client: MediaAnalysis, video_id: string): Records => {
  const [known, setKnown] = useState<Known | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const done = useRef<string[]>([]);
  const shown = useRef('');
  const load = async (isForced: boolean): Promise<void> => {
    try {
      const { data: video, response } = await client.videos.get(video_id).withResponse();
      const audioCall = video.audio_id === null ? null : await client.audios.get(video.audio_id).withResponse();
      const revisions = { video: response.revision, audio: audioCall === null ? null : audioCall.response.revision };
      const version = `${revisions.video}/${revisions.audio}`;
      // Without a change nothing is rendered again, which would lose the focus and take time.
      if (isForced || version !== shown.current) {
        const [{ decisions }, questions] = await Promise.all([
          client.decisions.list(video_id),
          client.review.list({ video_id }).toArray(),
        ]);
        const audio = audioCall === null ? null : audioCall.data;
        setKnown({ video, audio, decisions, questions, revisions, version });
      }
      shown.current = version;
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  };
  const refresh = useCallback(() => load(true), [client, video_id]);
  useEffect(() => void refresh(), [refresh]);
  useEvery(pollMs, () => load(false));

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
  const { video = null, audio = null, decisions = [], questions = [], version = '' } = known ?? {};
  return { video, audio, decisions, questions, version, error, conflict, write, undo, refresh };
};

const maxPageSize = 1_000;

/** The evidence of the recording; fetched again when a new analysis replaces it. */
export const useEvidence = (client: MediaAnalysis, video: VideoRecord | null, audio: AudioRecord | null) =>
  useQuery(
    async (signal): Promise<Evidence | null> => {
      if (video === null) return null;
      const faces = client.videos.tracks(video.video_id, { limit: maxPageSize }, { signal }).toArray();
      const turns =
        audio === null ? [] : client.audios.segments(audio.audio_id, { limit: maxPageSize }, { signal }).toArray();
      return groupEvidence(await faces, await turns);
    },
    [video?.video_id, video?.status, video?.faces.length, audio?.audio_id, audio?.status, audio?.speakers.length],
  );
