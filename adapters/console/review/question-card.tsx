import { useRef, useState } from 'preact/hooks';
import type { Question, VideoRecord } from '../../client/index.js';
import { time } from '../format.js';
import { useKeys, useQuery } from '../hooks.js';
import { NameField } from '../name-field.js';
import { OtherFace } from '../other-face.js';
import type { Session } from '../session.js';
import { faceName, speakerName } from '../video/lanes.js';
import { SeenAt } from '../video/link-evidence.js';
import { type Jump, Player } from '../video/player.js';
import { type Choice, choicesOf, otherFace, otherName } from './choices.js';
import type { Context, Contexts } from './contexts.js';

/** The question in words. */
const textOf = ({ kind, names: [name] = [], candidates }: Question, speaker: string, title: string): string => {
  if (kind === 'link') return `Who is ${speaker} in ${title}?`;
  if (candidates.length === 0) return `What is the name of ${speaker} in ${title}?`;
  return `Is it ${speaker}, or ${name?.name ?? 'somebody else'} as a caption says, in ${title}?`;
};

/** The words of the speaker, or the quote that shows the name. */
const Words = ({ question: { names: [name] = [] }, utterances, turn }: Context) => {
  const at = name?.quote_location?.start ?? turn?.start;
  const words = name?.quote === undefined ? utterances.map(({ text }) => text).join(' ') : <mark>{name.quote}</mark>;
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

interface Props {
  readonly question: Question;
  readonly press: (key: string) => boolean;
  readonly answer: (question: Question, choice: Choice) => void;
  readonly session: Session;
  readonly contexts: Contexts;
}

/** Answers that the question does not offer: any other face, or a name that is typed. */
const Others = ({
  question,
  answer,
  faces,
  nameOf,
}: Pick<Props, 'question' | 'answer'> & {
  readonly faces: VideoRecord['faces'];
  readonly nameOf: (id: number) => string;
}) => {
  const [isNaming, setNaming] = useState(false);
  const select = useRef<HTMLSelectElement>(null);
  useKeys((key) => {
    if (key === 'e' && question.kind === 'name') return (setNaming(true), true);
    if (key === 'f' && select.current !== null) return (select.current.focus(), true);
    return false;
  });
  if (question.kind === 'link')
    return (
      <label class="actions">
        <kbd>f</kbd> Another face{' '}
        <OtherFace
          list={select}
          faces={faces}
          hint="Choose …"
          nameOf={nameOf}
          onChoose={(face_id) => {
            // The keys belong to the next question now.
            select.current?.blur();
            answer(question, otherFace(question, face_id, nameOf(face_id)));
          }}
        />
      </label>
    );
  if (!isNaming)
    return (
      <button type="button" onClick={() => setNaming(true)}>
        <kbd>e</kbd> Another name …
      </button>
    );
  return (
    <NameField
      subject="the speaker"
      save={async (name) => answer(question, otherName(question, name))}
      onClose={() => setNaming(false)}
    />
  );
};

/** The recording, and where the candidates are seen: `v` shows one place after the other. */
const useViews = ({ candidates }: Question, context: Context | null) => {
  const [jump, setJump] = useState<Jump | null>(null);
  const [view, setView] = useState<number | null>(null);
  const views = candidates.flatMap(({ face_id }) =>
    (context?.sightings.get(face_id) ?? []).map(({ start }) => ({ face_id, start })),
  );
  const show = (at: number): void => {
    const place = views[at];
    if (place === undefined) return;
    setView(at);
    setJump((before) => ({ to: place.start, plays: true, round: (before?.round ?? 0) + 1 }));
  };
  useKeys((key) => key === 'v' && views.length > 0 && (show(view === null ? 0 : (view + 1) % views.length), true));
  const shown = view === null ? null : (views[view] ?? null);
  return {
    jump,
    shown,
    play: (face_id: number, start: number) =>
      show(views.findIndex((one) => one.face_id === face_id && one.start === start)),
  };
};

/** A question with what helps to answer it: the possible answers, the speaker's words, and the recording. */
const Card = ({ question, press, answer, session, context }: Props & { readonly context: Context | null }) => {
  const { video_id, speaker_id, names: [name] = [] } = question;
  const { jump, shown, play } = useViews(question, context);
  const nameOf = (id: number): string =>
    faceName(id, context?.video.faces.find((face) => face.id === id)?.name ?? null);
  const choices = choicesOf(question, nameOf);
  const candidateOf = (id: string): number | null =>
    question.candidates.find(({ face_id }) => id === `face ${face_id}`)?.face_id ?? null;
  const span = name?.quote_location ?? context?.turn ?? null;
  const url = context?.video.media_url ?? null;
  return (
    <article class="card question" aria-live="polite" aria-busy={context === null}>
      <h2>{textOf(question, context?.speaker ?? speakerName(speaker_id, null), context?.video.title ?? video_id)}</h2>
      <div class="ask">
        <div>
          {url !== null && span !== null && (
            <Player
              client={session.client}
              video_id={video_id}
              url={`${url}#t=${span.start},${span.end}`}
              jump={jump ?? { to: span.start, plays: true, round: 0 }}
              nameOf={(id) => {
                const key = choices.find((one) => one.id === `face ${id}`)?.key;
                return key === undefined ? nameOf(id) : `${key} ${nameOf(id)}`;
              }}
            />
          )}
          {shown !== null && (
            <p role="status">
              {nameOf(shown.face_id)} at {time(shown.start)}
            </p>
          )}
          {context !== null && <Words {...context} />}
        </div>
        <div class="answers">
          {choices.map(({ key, id, text, aside }) => {
            const face_id = candidateOf(id);
            return (
              <div key={key}>
                <button type="button" onClick={() => press(key)}>
                  <kbd>{key}</kbd> {text} {aside !== undefined && <span class="quiet">{aside}</span>}
                </button>
                {face_id !== null && context !== null && (
                  <SeenAt
                    name={text}
                    sightings={context.sightings.get(face_id) ?? null}
                    onPlay={url === null ? null : (start) => play(face_id, start)}
                  />
                )}
              </div>
            );
          })}
          <Others question={question} answer={answer} faces={context?.video.faces ?? []} nameOf={nameOf} />
          <button type="button" onClick={() => press('s')}>
            <kbd>s</kbd> Skip for now
          </button>
        </div>
      </div>
    </article>
  );
};

/** A question with what is known about it, until that is fetched anew. */
export const QuestionCard = (props: Props) => {
  const { question, contexts } = props;
  const { answer } = useQuery((signal) => contexts.fetch(question, signal), [question]);
  // Until the new context has arrived, the query still has that of the previous question, which must not be shown.
  const context = answer?.question === question ? answer : contexts.known(question);
  return <Card key={`${question.kind} ${question.video_id} ${question.speaker_id}`} {...props} context={context} />;
};
