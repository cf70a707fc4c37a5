import { useMemo, useState } from 'preact/hooks';
import type { MediaAnalysis } from '../../client/index.js';
import { messageOf, number } from '../format.js';
import { useKeys } from '../hooks.js';
import type { Session } from '../session.js';
import { Action, Button, Loaded, LoadFailure, Notice, Part } from '../ui.js';
import { History, changedSince, undoLast } from './history.js';
import { faceName, lanesOf, sightingsOf } from './lanes.js';
import { Links } from './links.js';
import { Names } from './names.js';
import { Faces, Speakers } from './people.js';
import { Player, type Jump } from './player.js';
import { Status } from './status.js';
import { Timeline } from './timeline.js';
import { Transcript } from './transcript.js';
import { type RecordKind, type Records, useEvidence, useRecords } from './use-records.js';

/** Asks what to do about a change that conflicts with a change of somebody else. */
const ConflictChoice = ({ records: { conflict } }: { readonly records: Records }) =>
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
const Toasts = ({
  records,
  message,
  onClose,
}: {
  readonly records: Records;
  readonly message: string;
  readonly onClose: () => void;
}) => (
  <div class="toasts">
    <ConflictChoice records={records} />
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
const Side = ({
  client,
  records,
  playhead,
  onSeek,
}: {
  readonly client: MediaAnalysis;
  readonly records: Records;
  readonly playhead: number;
  readonly onSeek: (seconds: number) => void;
}) => {
  const { video, audio, version, refresh } = records;
  return (
    <>
      {audio !== null && (
        <>
          <Part title="Transcript">
            <Transcript client={client} audio={audio} playhead={playhead} onSeek={onSeek} />
          </Part>
          <Part title="Names">
            <Names client={client} audio={audio} records={records} onSeek={onSeek} />
          </Part>
        </>
      )}
      <Part title="History" aside={<span class="quiet">press u to undo your last change</span>}>
        <History
          client={client}
          video_id={video?.video_id ?? null}
          audio_id={audio?.audio_id ?? null}
          version={version}
          onChange={refresh}
        />
      </Part>
    </>
  );
};

/** `u` undoes one's own last change to the recording. */
const useUndo = (
  { client, key_id }: Session,
  { video, audio, refresh }: Records,
  setMessage: (message: string) => void,
): void =>
  useKeys((key) => {
    if (key !== 'u' || (video === null && audio === null)) return false;
    const ids = { video_id: video?.video_id ?? null, audio_id: audio?.audio_id ?? null };
    undoLast(client, ids, key_id).then(
      async (undone) => {
        setMessage(
          undone === null
            ? 'You have made no change that can be undone.'
            : `Your last change was undone. ${changedSince(undone)}`,
        );
        await refresh();
      },
      (reason: unknown) => setMessage(messageOf(reason)),
    );
    return true;
  });

interface PageProps {
  readonly session: Session;
  readonly id: string;
}

/** The page of a video or of an audio without one: timeline, matches, transcript, names and history. */
const RecordingPage = ({ session, kind, id }: PageProps & { readonly kind: RecordKind }) => {
  const { client } = session;
  const records = useRecords(client, kind, id);
  const { video, audio, error, write, refresh } = records;
  const evidence = useEvidence(client, video, audio);
  const { playhead, jump, setPlayhead, seek, play } = usePlayhead();
  const nameOf = useFaceNames(records);
  const [message, setMessage] = useState('');
  const lanes = useMemo(
    () => (evidence.answer === null ? [] : lanesOf(video?.faces ?? [], audio?.speakers ?? [], evidence.answer)),
    [video, audio, evidence.answer],
  );
  useUndo(session, records, setMessage);
  if (video === null && audio === null)
    return (
      <>
        <h1>{kind === 'video' ? 'Video' : 'Audio'}</h1>
        <Loaded query={{ answer: null, error, isLoading: true }}>{() => null}</Loaded>
      </>
    );
  const onLook = (speaker_id: number): void => {
    const first = evidence.answer?.turns.get(speaker_id)?.[0];
    if (first !== undefined) play(first.start);
  };
  const suggest = async (video_id: string): Promise<void> => {
    const run = await client.runs.wait(await client.matches.suggest(video_id));
    setMessage(
      run.state === 'completed'
        ? 'New suggestions are ready.'
        : `There are no new suggestions${run.error === null ? '' : `: ${run.error}`}. Press Suggest again to retry.`,
    );
    await refresh();
  };
  const sightings = (face_id: number, speaker_id?: number) =>
    evidence.answer === null
      ? null
      : sightingsOf(
          evidence.answer.faces.get(face_id)?.tracks ?? [],
          speaker_id === undefined ? [] : evidence.answer.turns.get(speaker_id),
        );
  const about = { client, write, nameOf, sightings, onPlay: play };
  return (
    <>
      <Heading video={video} audio={audio} />
      <LoadFailure error={error} />
      <Toasts records={records} message={message} onClose={() => setMessage('')} />
      <div class="stage">
        {video !== null && video.media_url !== null && (
          <Player
            client={client}
            video_id={video.video_id}
            url={video.media_url}
            jump={jump}
            onTime={setPlayhead}
            nameOf={nameOf}
          />
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
              <Speakers client={client} audio={audio} write={write} onLook={onLook} />
            </Part>
          )}
          {video !== null && (
            <>
              <Part
                title="Who is who"
                aside={
                  <Action
                    text={video.speaker_face_match.suggestions === null ? 'Suggest' : 'Suggest again'}
                    kind="small"
                    run={() => suggest(video.video_id)}
                    disabled={video.status !== 'completed' || audio?.status !== 'completed'}
                  />
                }
              >
                {audio === null ? (
                  <p class="quiet">This video has no audio yet, so there are no speakers.</p>
                ) : (
                  <Links {...about} video={video} audio={audio} records={records} onLook={onLook} />
                )}
              </Part>
              <details class="part">
                <summary>Faces: when each is seen, and its name</summary>
                <Faces {...about} video={video} />
              </details>
            </>
          )}
        </div>
        <div>
          <Side client={client} records={records} playhead={playhead ?? evidence.answer?.start ?? 0} onSeek={seek} />
        </div>
      </div>
    </>
  );
};

export const VideoPage = (props: PageProps) => <RecordingPage key={props.id} kind="video" {...props} />;
export const AudioPage = (props: PageProps) => <RecordingPage key={props.id} kind="audio" {...props} />;
