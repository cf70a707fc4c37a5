import { useEffect, useRef, useState } from 'preact/hooks';
import type { Question, Segment, TranscriptUtterance, VideoRecord } from '../../client/index.js';
import { time } from '../format.js';
import { useQuery } from '../hooks.js';
import type { Session } from '../session.js';
import { faceName, speakerName } from '../video/lanes.js';
import { choicesOf } from './choices.js';

interface Context {
  readonly question: Question;
  readonly video: VideoRecord;
  readonly speaker: string;
  readonly said: ReadonlyArray<TranscriptUtterance>;
  readonly turn: Segment | null;
}

const maxUtterances = 3;

const contextOf = async ({ client }: Session, question: Question, signal: AbortSignal): Promise<Context> => {
  const { video_id, audio_id, speaker_id } = question;
  const asking = { signal };
  const video = await client.videos.get(video_id, {}, asking);
  if (audio_id === null) return { question, video, speaker: speakerName(speaker_id, null), said: [], turn: null };
  const [audio, turns] = await Promise.all([
    client.audios.get(audio_id, {}, asking),
    client.audios.segments(audio_id, { speaker_id, limit: 1 }, asking).toArray(1),
  ]);
  const said = audio.transcript_available
    ? await client.audios.transcript(audio_id, { speaker_id, limit: maxUtterances }, asking).toArray(maxUtterances)
    : [];
  const name = audio.speakers.find((one) => one.speaker_id === speaker_id)?.name;
  return { question, video, speaker: speakerName(speaker_id, name), said, turn: turns[0] ?? null };
};

/** Plays a part of the recording once. */
const Excerpt = ({ url, start, end }: { readonly url: string; readonly start: number; readonly end: number }) => {
  const media = useRef<HTMLVideoElement>(null);
  const [isSound, setSound] = useState(false);
  useEffect(() => {
    // The browser may block autoplay; then the reviewer presses play.
    media.current?.play().catch(() => undefined);
  }, [url, start]);
  return (
    <video
      ref={media}
      src={`${url}#t=${start},${end}`}
      class={isSound ? 'sound' : ''}
      controls
      preload="auto"
      onLoadedMetadata={(event) => setSound(event.currentTarget.videoWidth === 0)}
    >
      <track kind="captions" />
    </video>
  );
};

/** The question in words. */
const textOf = ({ kind, names: [name] = [], candidates }: Question, speaker: string, title: string): string => {
  if (kind === 'link') return `Who is ${speaker} in ${title}?`;
  if (candidates.length === 0) return `What is the name of ${speaker} in ${title}?`;
  return `Is it ${speaker}, or ${name?.name ?? 'somebody else'} as a caption says, in ${title}?`;
};

const Said = ({ question: { names: [name] = [] }, said, turn }: Context) => {
  const at = name?.quote_location?.start ?? turn?.start;
  const words = name?.quote === undefined ? said.map(({ text }) => text).join(' ') : <mark>{name.quote}</mark>;
  return (
    <>
      {at !== undefined && (
        <p class="quiet">
          {name?.quote === undefined ? 'First heard at' : 'Said at'} {time(at)}
        </p>
      )}
      {words !== '' && <blockquote>{words}</blockquote>}
    </>
  );
};

/** A question with what helps to answer it: the possible answers, what was said, and an excerpt of the recording. */
export const QuestionCard = ({
  question,
  press,
  session,
}: {
  readonly question: Question;
  readonly press: (key: string) => boolean;
  readonly session: Session;
}) => {
  const { video_id, speaker_id, names: [name] = [] } = question;
  const { answer } = useQuery((signal) => contextOf(session, question, signal), [question]);
  // Until the new context has arrived, the query still has that of the previous question, which must not be shown.
  const context = answer?.question === question ? answer : null;
  const nameOf = (id: number): string =>
    faceName(id, context?.video.faces.find((face) => face.id === id)?.name ?? null);
  const span = name?.quote_location ?? context?.turn ?? null;
  return (
    <article class="card question" aria-live="polite" aria-busy={context === null}>
      <h2>{textOf(question, context?.speaker ?? speakerName(speaker_id, null), context?.video.title ?? video_id)}</h2>
      {context !== null && context.video.media_url !== null && span !== null && (
        <Excerpt url={context.video.media_url} start={span.start} end={span.end} />
      )}
      {context !== null && <Said {...context} />}
      <div class="answers">
        {choicesOf(question, nameOf).map(({ key, text, aside }) => (
          <button key={key} type="button" onClick={() => press(key)}>
            <kbd>{key}</kbd> {text} {aside !== undefined && <span class="quiet">{aside}</span>}
          </button>
        ))}
        <button type="button" onClick={() => press('s')}>
          <kbd>s</kbd> Skip for now
        </button>
      </div>
    </article>
  );
};
