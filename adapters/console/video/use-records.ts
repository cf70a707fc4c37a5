import { createContext } from 'preact';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import {
  type AudioRecord,
  type CallOptions,
  type Interval,
  type LinkDecision,
  type Question,
  RevisionChangedError,
  type VideoRecord,
} from '../../client/index.js';
import { pollMs, useQuery, useEvery } from '../hooks.js';
import { useClient } from '../session.js';
import { type Evidence, groupEvidence } from './lanes.js';

/** A change that was refused because somebody else changed the record first. */
interface Conflict {
  readonly what: string;
  /** Makes the change anyway. */
  readonly insist: () => Promise<void>;
  readonly dismiss: () => void;
}

/** Makes a change. */
type Write = (options: CallOptions) => PromiseLike<unknown>;

export interface Records {
  /** Null for an audio without a video. */
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
  readonly write: (what: string, write: Write, of?: RecordKind) => Promise<void>;
  readonly refresh: () => Promise<void>;
}

interface Known extends Pick<Records, 'video' | 'audio' | 'decisions' | 'questions' | 'version'> {
  readonly revisions: { readonly video: number | null; readonly audio: number | null };
}

/** Which record the address of a page names. */
export type RecordKind = 'video' | 'audio';

/** A video with its audio, or an audio without a video, refreshed within a second when others change them. */
export const useRecords = (kind: RecordKind, id: string): Records => {
  const client = useClient();
  const [known, setKnown] = useState<Known | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const shown = useRef('');
  const load = async (isForced: boolean): Promise<void> => {
    try {
      const video_id = kind === 'video' ? id : (await client.audios.get(id)).video_id;
      const videoCall = video_id === null ? null : await client.videos.get(video_id).withResponse();
      const audio_id = videoCall === null ? id : videoCall.data.audio_id;
      const audioCall = audio_id === null ? null : await client.audios.get(audio_id).withResponse();
      const revisions = {
        video: videoCall?.response.revision ?? null,
        audio: audioCall?.response.revision ?? null,
      };
      const version = `${revisions.video}/${revisions.audio}`;
      // Without a change nothing is rendered again, which would lose the focus and take time.
      if (isForced || version !== shown.current) {
        const [{ decisions }, questions] =
          video_id === null
            ? [{ decisions: [] }, []]
            : await Promise.all([client.decisions.list(video_id), client.review.list({ video_id }).toArray()]);
        const [video, audio] = [videoCall?.data ?? null, audioCall?.data ?? null];
        setKnown({ video, audio, decisions, questions, revisions, version });
      }
      shown.current = version;
      setError(null);
    } catch (reason) {
      setError(reason);
    }
  };
  const refresh = useCallback(() => load(true), [client, kind, id]);
  useEffect(() => void refresh(), [refresh]);
  useEvery(pollMs, () => load(false));

  const carryOut = async (write: Write, options: CallOptions): Promise<void> => {
    await write(options);
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
  const { video = null, audio = null, decisions = [], questions = [], version = '' } = known ?? {};
  return { video, audio, decisions, questions, version, error, conflict, write, refresh };
};

const maxPageSize = 1_000;

/** The evidence of the recording; fetched again when a new analysis replaces it. */
export const useEvidence = ({ video, audio }: Pick<Records, 'video' | 'audio'>) => {
  const client = useClient();
  return useQuery(
    async (signal): Promise<Evidence | null> => {
      if (video === null && audio === null) return null;
      const faces =
        video === null ? [] : client.videos.tracks(video.video_id, { limit: maxPageSize }, { signal }).toArray();
      const turns =
        audio === null ? [] : client.audios.segments(audio.audio_id, { limit: maxPageSize }, { signal }).toArray();
      return groupEvidence(await faces, await turns);
    },
    [video?.video_id, video?.status, video?.faces.length, audio?.audio_id, audio?.status, audio?.speakers.length],
  );
};

/** What all parts of the page of a recording work with. */
export interface Recording extends Records {
  readonly nameOf: (face_id: number) => string;
  /** When a face is seen, at best while the speaker talks; null while that is not known. */
  readonly sightings: (face_id: number, speaker_id?: number) => ReadonlyArray<Interval> | null;
  /** The selected time, in seconds; at first where the evidence begins. */
  readonly now: number;
  /** Selects a time. */
  readonly seek: (seconds: number) => void;
  /** Selects a time, and plays from it. */
  readonly play: (seconds: number) => void;
  /** Plays where a speaker talks first. */
  readonly playSpeaker: (speaker_id: number) => void;
}

const RecordingContext = createContext<Recording | null>(null);
export const RecordingProvider = RecordingContext.Provider;

export const useRecording = (): Recording => {
  const recording = useContext(RecordingContext);
  if (recording === null) throw new Error('this is not the page of a recording');
  return recording;
};
