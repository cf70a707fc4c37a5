import { useEffect, useRef } from 'preact/hooks';
import type { Question, Segment, TranscriptUtterance, VideoRecord } from '../client/index.js';
import { percent, time } from './format.js';
import { useAsked } from './hooks.js';
import type { Session } from './session.js';
import { faceName, speakerName } from './video/lanes.js';

interface Context {
  readonly video: VideoRecord;
  readonly speaker: string;
  readonly said: ReadonlyArray<TranscriptUtterance>;
  readonly turn: Segment | null;
}

const mostUtterances = 3;

const contextOf = async ({ client }: Session, question: Question, signal: AbortSignal): Promise<Context> => {
  const { video_id, audio_id, speaker_id } = question;
  const asking = { signal };
  const video = await client.videos.get(video_id, {}, asking);
  if (audio_id === null) return { video, speaker: speakerName(speaker_id, null), said: [], turn: null };
  const [audio, turns] = await Promise.all([
    client.audios.get(audio_id, {}, asking),
    client.audios.segments(audio_id, { speaker_id, limit: 1 }, asking).toArray(1),
  ]);
  const said = audio.transcript_available
    ? await client.audios.transcript(audio_id, { speaker_id, limit: mostUtterances }, asking).toArray(mostUtterances)
    : [];
  const name = audio.speakers.find((one) => one.speaker_id === speaker_id)?.name;
  return { video, speaker: speakerName(speaker_id, name), said, turn: turns[0] ?? null };
};

/** Plays a stretch of the recording, once. */
const Excerpt = ({ url, start, end }: { readonly url: string; readonly start: number; readonly end: number }) => {
  const media = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    // A browser may want a gesture first: then the reviewer presses play.
    media.current?.play().catch(() => undefined);
  }, [url, start]);
  return (
    <video ref={media} src={`${url}#t=${start},${end}`} controls preload="auto">
      <track kind="captions" />
    </video>
  );
};

/** One question with what there is to answer it: faces by their odds, the speaker's words, and the excerpt. */
export const QuestionCard = ({
  question,
  press,
  session,
}: {
  readonly question: Question;
  readonly press: (key: string) => boolean;
  readonly session: Session;
}) => {
  const { video_id, speaker_id, candidates, nobody } = question;
  const { answer } = useAsked((signal) => contextOf(session, question, signal), [video_id, speaker_id]);
  const context = answer?.video.video_id === video_id ? answer : null;
  const nameOf = (id: number): string =>
    faceName(id, context?.video.faces.find((face) => face.id === id)?.name ?? null);
  return (
    <article class="card question" aria-live="polite">
      <h2>
        Who is {context?.speaker ?? speakerName(speaker_id, null)} in {context?.video.title ?? video_id}?
      </h2>
      {context !== null && context.video.media_url !== null && context.turn !== null && (
        <Excerpt url={context.video.media_url} start={context.turn.start} end={context.turn.end} />
      )}
      {context !== null && context.turn !== null && <p class="quiet">first heard at {time(context.turn.start)}</p>}
      {context !== null && context.said.length > 0 && (
        <blockquote>{context.said.map(({ text }) => text).join(' ')}</blockquote>
      )}
      <div class="answers">
        {candidates.map(({ face_id, accuracy }, at) => (
          <button key={face_id} type="button" onClick={() => press(String(at + 1))}>
            <kbd>{at + 1}</kbd> {nameOf(face_id)} <span class="quiet">{percent(accuracy)}</span>
          </button>
        ))}
        <button type="button" onClick={() => press('n')}>
          <kbd>n</kbd> Not to be seen <span class="quiet">{percent(nobody)}</span>
        </button>
        {candidates.length > 0 && (
          <button type="button" onClick={() => press('x')}>
            <kbd>x</kbd> Not the first face
          </button>
        )}
        <button type="button" onClick={() => press('s')}>
          <kbd>s</kbd> Later
        </button>
      </div>
    </article>
  );
};
