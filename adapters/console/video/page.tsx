import { useMemo, useState } from 'preact/hooks';
import { messageOf, number } from '../format.js';
import { useKeys } from '../hooks.js';
import { useClient, useSignedIn } from '../session.js';
import { Action, Button, Loaded, LoadFailure, Notice, Part } from '../ui.js';
import { History, changedSince, idsOf, undoLast } from './history.js';
import { faceName, lanesOf, sightingsOf } from './lanes.js';
import { Links } from './links.js';
import { Names } from './names.js';
import { Faces, Speakers } from './people.js';
import { Player, type Jump } from './player.js';
import { Status } from './status.js';
import { Timeline } from './timeline.js';
import { Transcript } from './transcript.js';
import {
  RecordingProvider,
  type RecordKind,
  type Records,
  useEvidence,
  useRecording,
  useRecords,
} from './use-records.js';

/** Asks what to do about a change that conflicts with a change of somebody else. */
const ConflictChoice = ({ conflict }: Pick<Records, 'conflict'>) =>
  conflict === null ? null : (
    <Notice>
      Somebody else changed this recording in the meantime, so your change ({conflict.what}) was not saved. The page
      shows the current state.
      <div class="actions">
        <Action text="Save my change anyway" run={conflict.insist} />
        <Button text="Discard my change" onPress={conflict.dismiss} />
      </div>
    </Notice>
  );

/** What just happened, at the lower edge of the window, so that it is seen wherever one is looking. */
const Toasts = ({ message, onClose }: { readonly message: string; readonly onClose: () => void }) => (
  <div class="toasts">
    <ConflictChoice {...useRecording()} />
    <div role="status" class={message === '' ? '' : 'notice wait actions'}>
      {message}
      {message !== '' && <Button text="Close" kind="small" onPress={onClose} />}
    </div>
  </div>
);

const Heading = ({ video, audio }: Pick<Records, 'video' | 'audio'>) => (
  <header class="title">
    <h1>{video?.title ?? video?.video_id ?? audio?.title ?? audio?.audio_id}</h1>
    <Status video={video} audio={audio} />
    <span class="quiet">
      {video !== null && `${number(video.faces.length)} faces, `}
      {number(audio?.speakers.length ?? 0)} speakers
    </span>
  </header>
);

/** The names of faces; with the number where somebody else on this page has the same name. */
const useFaceNames = ({ video, audio }: Records): ((id: number) => string) =>
  useMemo(() => {
    const names = new Map(video?.faces.map(({ id, name }) => [id, faceName(id, name)]));
    const all = [...names.values(), ...(audio?.speakers ?? []).map(({ name }) => name)];
    return (id) => {
      const name = faceName(id, names.get(id) ?? null);
      return all.filter((one) => one === name).length > 1 ? `${name} (face ${id})` : name;
    };
  }, [video, audio]);

/** The selected time, and how to select another one, silently or playing. */
const usePlayhead = () => {
  const [playhead, setPlayhead] = useState<number | null>(null);
  const [jump, setJump] = useState<Jump | null>(null);
  const to = (plays: boolean) => (seconds: number) => {
    setPlayhead(seconds);
    setJump((before) => ({ to: seconds, plays, round: (before?.round ?? 0) + 1 }));
  };
  return { playhead, jump, setPlayhead, seek: to(false), play: to(true) };
};

/** The transcript, the names that were found, and the history. */
const Side = () => {
  const { audio } = useRecording();
  return (
    <>
      {audio !== null && (
        <>
          <Part title="Transcript">
            <Transcript audio={audio} />
          </Part>
          <Part title="Names">
            <Names audio={audio} />
          </Part>
        </>
      )}
      <Part title="History" aside={<span class="quiet">press u to undo your last change</span>}>
        <History />
      </Part>
    </>
  );
};

type Say = (message: string) => void;

/** `u` undoes one's own last change to the recording. */
const useUndo = (records: Records, say: Say): void => {
  const { client, key_id } = useSignedIn();
  const undo = async (): Promise<void> => {
    const undone = await undoLast(client, idsOf(records), key_id);
    say(
      undone === null
        ? 'You have made no change that can be undone.'
        : `Your last change was undone. ${changedSince(undone)}`,
    );
    await records.refresh();
  };
  useKeys((key) => {
    if (key !== 'u' || (records.video === null && records.audio === null)) return false;
    undo().catch((reason: unknown) => say(messageOf(reason)));
    return true;
  });
};

/** Who is who on a video, and all its faces. */
const VideoParts = ({ say }: { readonly say: Say }) => {
  const client = useClient();
  const { video, audio, refresh } = useRecording();
  if (video === null) return null;
  const suggest = async (): Promise<void> => {
    const run = await client.runs.wait(await client.matches.suggest(video.video_id));
    say(
      run.state === 'completed'
        ? 'New suggestions are ready.'
        : `There are no new suggestions${run.error === null ? '' : `: ${run.error}`}. Press Suggest again to retry.`,
    );
    await refresh();
  };
  return (
    <>
      <Part
        title="Who is who"
        aside={
          <Action
            text={video.speaker_face_match.suggestions === null ? 'Suggest' : 'Suggest again'}
            kind="small"
            run={suggest}
            disabled={video.status !== 'completed' || audio?.status !== 'completed'}
          />
        }
      >
        {audio === null ? (
          <p class="quiet">This video has no audio yet, so there are no speakers.</p>
        ) : (
          <Links video={video} audio={audio} />
        )}
      </Part>
      <details class="part">
        <summary>Faces: when each is seen, and its name</summary>
        <Faces {...video} />
      </details>
    </>
  );
};

interface PageProps {
  readonly id: string;
}

/** The page of a video or of an audio without one: timeline, matches, transcript, names and history. */
const RecordingPage = ({ kind, id }: PageProps & { readonly kind: RecordKind }) => {
  const records = useRecords(kind, id);
  const { video, audio, error } = records;
  const evidence = useEvidence(records);
  const { playhead, jump, setPlayhead, seek, play } = usePlayhead();
  const nameOf = useFaceNames(records);
  const [message, say] = useState('');
  const known = evidence.answer;
  const lanes = useMemo(
    () => (known === null ? [] : lanesOf(video?.faces ?? [], audio?.speakers ?? [], known)),
    [video, audio, known],
  );
  useUndo(records, say);
  if (video === null && audio === null)
    return (
      <>
        <h1>{kind === 'video' ? 'Video' : 'Audio'}</h1>
        <Loaded query={{ answer: null, error, isLoading: true }}>{() => null}</Loaded>
      </>
    );
  const recording = {
    ...records,
    nameOf,
    sightings: (face_id: number, speaker_id?: number) => {
      if (known === null) return null;
      const turns = speaker_id === undefined ? [] : known.turns.get(speaker_id);
      return sightingsOf(known.faces.get(face_id)?.tracks ?? [], turns);
    },
    now: playhead ?? known?.start ?? 0,
    seek,
    play,
    playSpeaker: (speaker_id: number): void => {
      const first = known?.turns.get(speaker_id)?.[0];
      if (first !== undefined) play(first.start);
    },
  };
  return (
    <RecordingProvider value={recording}>
      <Heading video={video} audio={audio} />
      <LoadFailure error={error} />
      <Toasts message={message} onClose={() => say('')} />
      <div class="stage">
        {video !== null && video.media_url !== null && (
          <Player video_id={video.video_id} url={video.media_url} jump={jump} onTime={setPlayhead} nameOf={nameOf} />
        )}
        <div>
          <Loaded query={evidence}>
            {({ start, duration }) => (
              <Timeline lanes={lanes} start={start} duration={duration} playhead={playhead} onSeek={seek} />
            )}
          </Loaded>
        </div>
      </div>
      <div class="columns">
        <div>
          {video === null && audio !== null && (
            <Part title="Speakers">
              <Speakers {...audio} />
            </Part>
          )}
          <VideoParts say={say} />
        </div>
        <div>
          <Side />
        </div>
      </div>
    </RecordingProvider>
  );
};

export const VideoPage = ({ id }: PageProps) => <RecordingPage key={id} kind="video" id={id} />;
export const AudioPage = ({ id }: PageProps) => <RecordingPage key={id} kind="audio" id={id} />;
