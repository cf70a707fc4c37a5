import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { VideoRecord } from '../../client/index.js';
import { number, messageOf } from '../format.js';
import { useKeys } from '../hooks.js';
import type { Session } from '../session.js';
import { Action, Badge, Failure, Notice, Part, Loaded } from '../ui.js';
import { History, changedSince } from './history.js';
import { lanesOf } from './lanes.js';
import { Links } from './links.js';
import { Names } from './names.js';
import { Timeline } from './timeline.js';
import { Transcript } from './transcript.js';
import { type Records, useEvidence, useVideo } from './use-video.js';

/** Asks what to do about a change that conflicts with a change of somebody else. */
const ConflictChoice = ({ records: { conflict } }: { readonly records: Records }) =>
  conflict === null ? null : (
    <Notice tone="wait">
      Somebody else changed this video in the meantime, so your change ({conflict.what}) was not saved. The page shows
      the current state.
      <div class="actions">
        <Action run={conflict.insist}>Save my change anyway</Action>
        <button type="button" onClick={conflict.dismiss}>
          Discard my change
        </button>
      </div>
    </Notice>
  );

/** A player for the recording, shown if the record has its URL. */
const Media = ({
  url,
  playhead,
  onTime,
}: {
  readonly url: string;
  readonly playhead: number | null;
  readonly onTime: (s: number) => void;
}) => {
  const element = useRef<HTMLVideoElement>(null);
  const [isSound, setSound] = useState(false);
  useEffect(() => {
    const media = element.current;
    // The player's own progress comes back as `playhead`; only a larger difference is a jump of the user.
    if (media !== null && playhead !== null && Math.abs(media.currentTime - playhead) > 1) media.currentTime = playhead;
  }, [playhead]);
  return (
    <video
      ref={element}
      src={url}
      class={isSound ? 'sound' : ''}
      controls
      preload="metadata"
      onLoadedMetadata={(e) => setSound(e.currentTarget.videoWidth === 0)}
      onTimeUpdate={(e) => onTime(e.currentTarget.currentTime)}
    >
      <track kind="captions" />
    </video>
  );
};

const tones = { completed: 'good', failed: 'bad', queue: 'wait', processing: 'wait' } as const;

const Heading = ({ video, speakers }: { readonly video: VideoRecord; readonly speakers: number }) => (
  <header class="title">
    <h1>{video.title ?? video.video_id}</h1>
    <Badge tone={tones[video.status]}>{video.status}</Badge>
    <span class="quiet">
      {number(video.faces.length)} faces, {number(speakers)} speakers
    </span>
  </header>
);

/** The page of one video: timeline, matches, transcript, names and history. */
export const VideoPage = ({
  session: { client },
  video_id,
}: {
  readonly session: Session;
  readonly video_id: string;
}) => {
  const records = useVideo(client, video_id);
  const { video, audio, version, error, undo, refresh } = records;
  const evidence = useEvidence(client, video, audio);
  const [playhead, setPlayhead] = useState<number | null>(null);
  const [message, setMessage] = useState('');
  const lanes = useMemo(
    () => (video === null || evidence.answer === null ? [] : lanesOf(video, audio, evidence.answer)),
    [video, audio, evidence.answer],
  );
  useKeys((key) => {
    if (key !== 'u') return false;
    undo().then(
      (undone) =>
        setMessage(
          undone === null
            ? 'You have made no change that can be undone.'
            : `Your last change was undone. ${changedSince(undone)}`,
        ),
      (reason: unknown) => setMessage(messageOf(reason)),
    );
    return true;
  });
  if (video === null)
    return (
      <>
        <h1>Video</h1>
        {error === null ? <p class="quiet">Loading …</p> : <Failure error={error} />}
      </>
    );
  const look = (speaker_id: number): void => {
    const first = evidence.answer?.turns.get(speaker_id)?.[0];
    if (first !== undefined) setPlayhead(first.start);
  };
  const suggest = async (): Promise<void> => {
    const run = await client.runs.wait(await client.matches.suggest(video_id));
    setMessage(
      run.state === 'completed'
        ? 'New suggestions are ready.'
        : `The match run ended as ${run.state}${run.error === null ? '' : `: ${run.error}`}.`,
    );
    await refresh();
  };
  const isReady = video.status === 'completed' && audio?.status === 'completed';
  return (
    <>
      <Heading video={video} speakers={audio?.speakers.length ?? 0} />
      <Failure error={error} />
      <ConflictChoice records={records} />
      <p role="status" class="quiet">
        {message}
      </p>
      {video.media_url !== null && <Media url={video.media_url} playhead={playhead} onTime={setPlayhead} />}
      <Loaded query={evidence}>
        {({ start, duration }) => (
          <Timeline lanes={lanes} start={start} duration={duration} playhead={playhead} onSeek={setPlayhead} />
        )}
      </Loaded>
      <div class="columns">
        <Part
          title="Who is who"
          aside={
            <Action kind="small" run={suggest} disabled={!isReady}>
              Suggest again
            </Action>
          }
        >
          <Links client={client} records={records} onLook={look} />
        </Part>
        <div>
          {audio !== null && (
            <>
              <Part title="Transcript">
                <Transcript
                  client={client}
                  audio={audio}
                  playhead={playhead ?? evidence.answer?.start ?? 0}
                  onSeek={setPlayhead}
                />
              </Part>
              <Part title="Names">
                <Names client={client} audio={audio} records={records} onSeek={setPlayhead} />
              </Part>
            </>
          )}
          <Part title="History" aside={<span class="quiet">press u to undo your last change</span>}>
            <History
              client={client}
              video_id={video_id}
              audio_id={video.audio_id}
              version={version}
              onChange={refresh}
            />
          </Part>
        </div>
      </div>
    </>
  );
};
