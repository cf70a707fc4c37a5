import { useRef, useState } from 'preact/hooks';
import type { Question, VideoRecord } from '../../client/index.js';
import { NameField, OtherFace } from '../fields.js';
import { messageOf, number, time } from '../format.js';
import { useKeys, useQuery } from '../hooks.js';
import { Button, Facts, Notice } from '../ui.js';
import { faceName, speakerName } from '../video/lanes.js';
import { SeenAt } from '../video/people.js';
import { Player, type Jump } from '../video/player.js';
import { type Choice, choicesOf, type Effect, textOf } from './choices.js';
import { type Answers, useAnswers } from './use-answers.js';
import { type Context, type Contexts, useContexts, useQuestions } from './use-questions.js';

/** The question in words. */
const headingOf = ({ kind, names: [name] = [], candidates }: Question, speaker: string, title: string): string => {
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
  readonly answer: (question: Question, effect: Effect) => void;
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
            answer(question, { face_id, verdict: 'confirmed' });
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
      save={async (name) => answer(question, { named: name })}
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

/** The face that an answer of a link question chooses. */
const faceOf = ({ key, effect }: Choice): number | null =>
  /^\d$/.test(key) && 'face_id' in effect ? effect.face_id : null;

/** A question with what helps to answer it: the possible answers, the speaker's words, and the recording. */
const Card = ({ question, press, answer, context }: Props & { readonly context: Context | null }) => {
  const { video_id, speaker_id, names: [name] = [] } = question;
  const { jump, shown, play } = useViews(question, context);
  const nameOf = (id: number): string =>
    faceName(id, context?.video.faces.find((face) => face.id === id)?.name ?? null);
  const choices = choicesOf(question, nameOf);
  const span = name?.quote_location ?? context?.turn ?? null;
  const url = context?.video.media_url ?? null;
  return (
    <article class="card question" aria-live="polite" aria-busy={context === null}>
      <h2>
        {headingOf(question, context?.speaker ?? speakerName(speaker_id, null), context?.video.title ?? video_id)}
      </h2>
      <div class="ask">
        <div>
          {url !== null && span !== null && (
            <Player
              video_id={video_id}
              url={`${url}#t=${span.start},${span.end}`}
              jump={jump ?? { to: span.start, plays: true, round: 0 }}
              nameOf={(id) => {
                const key = choices.find((one) => faceOf(one) === id)?.key;
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
          {choices.map((choice) => {
            const { key, text, aside } = choice;
            const face_id = faceOf(choice);
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
const QuestionCard = (props: Props) => {
  const { question, contexts } = props;
  const { answer } = useQuery((signal) => contexts.fetch(question, signal), [question]);
  // Until the new context has arrived, the query still has that of the previous question, which must not be shown.
  const context = answer?.question === question ? answer : contexts.known(question);
  return <Card key={`${question.kind} ${question.video_id} ${question.speaker_id}`} {...props} context={context} />;
};

const keysHelp: ReadonlyArray<readonly [string, string]> = [
  ['1 to 5', 'choose this face or this name for the speaker'],
  ['n', 'the speaker is off screen'],
  ['x', 'the speaker is not the first face, and never suggest that again; or this is not the name'],
  ['k', 'keep the name and the face'],
  ['e', 'give another name'],
  ['f', 'choose another face of the video'],
  ['v', 'play where a candidate is seen; again: the next place'],
  ['p', 'play, or pause'],
  ['s', 'skip this question for now'],
  ['u', 'undo the last answer'],
  ['o', 'open the video'],
  ['y', 'after a conflict: store my answer anyway'],
  ['l', 'after a conflict: keep the other decision'],
  ['?', 'show or hide this list'],
];

/** The question without its context, to remind a reviewer who has seen others since. */
const summaryOf = ({ kind, speaker_id }: Question): string =>
  kind === 'link' ? `Who is Speaker ${speaker_id}?` : `The name of Speaker ${speaker_id}:`;

/** Answers that were not stored: the reviewer chooses which decision holds. */
const Conflicts = ({ conflicts, insist, dismiss }: Pick<Answers, 'conflicts' | 'insist' | 'dismiss'>) => (
  <>
    {conflicts.map((answer) => (
      <Notice key={answer.key} tone="wait">
        <strong>Not stored:</strong> {summaryOf(answer.asked)} “{textOf(answer.effect)}”. Somebody else decided
        otherwise in the meantime. {answer.conflict?.join(' ')}
        <div class="actions">
          <button type="button" onClick={() => insist(answer)}>
            <kbd>y</kbd> Store my answer anyway
          </button>
          <button type="button" onClick={() => dismiss(answer)}>
            <kbd>l</kbd> Keep the other decision
          </button>
        </div>
      </Notice>
    ))}
  </>
);

/** Asks one question after the other, each answered with one key. The next question is shown while the answer is being stored. */
export const Review = () => {
  const questions = useQuestions();
  const { queue, hasMore, skipped, isAtEnd, isAway, error, setError, skip, showSkipped } = questions;
  const [question] = queue;
  const answers = useAnswers(questions);
  const { count, pending, isWaiting, conflicts, answer, undoLast, insist, dismiss } = answers;
  const contexts = useContexts(questions);
  const [help, setHelp] = useState(false);
  const press = (key: string): boolean => {
    const [conflict] = conflicts;
    if (key === '?') return (setHelp((shown) => !shown), true);
    if (key === 'u') return (undoLast().catch((reason: unknown) => setError(messageOf(reason))), true);
    if (conflict !== undefined && key === 'y') return (insist(conflict), true);
    if (conflict !== undefined && key === 'l') return (dismiss(conflict), true);
    if (question === undefined) return false;
    if (key === 's') return (skip(question), true);
    if (key === 'o') return ((location.hash = `#/videos/${encodeURIComponent(question.video_id)}`), true);
    const choice = choicesOf(question).find((one) => one.key === key);
    if (choice === undefined) return false;
    answer(question, choice.effect);
    return true;
  };
  useKeys(press);
  return (
    <>
      <header class="title">
        <h1>Review</h1>
        <span class="quiet" role="status">
          {number(count)} answered
        </span>
        {(question !== undefined || isAtEnd) && (
          <span class="quiet">
            {number(queue.length)} {hasMore && 'or more'} left
          </span>
        )}
        {pending > 0 && (
          <span class="quiet" role="status">
            {isWaiting || isAway ? `${number(pending)} not stored yet` : `storing ${number(pending)} …`}
          </span>
        )}
        {skipped > 0 && <Button text={`${number(skipped)} skipped: show again`} kind="small" onPress={showSkipped} />}
        {count > 0 && <Button text="Undo the last answer" kind="small" onPress={() => press('u')} />}
        <button type="button" class="small" aria-expanded={help} onClick={() => setHelp(!help)}>
          Keyboard shortcuts (?)
        </button>
      </header>
      {help && <Facts kind="keys" facts={keysHelp.map(([key, does]) => [<kbd>{key}</kbd>, does])} />}
      {error !== '' && <Notice>{error}</Notice>}
      {(isAway || isWaiting) && (
        <p class="quiet" role="status">
          Your answers are kept in this tab, and stored as soon as the service answers: go on.
        </p>
      )}
      <Conflicts {...answers} />
      {question === undefined ? (
        <p class="quiet">
          {!isAtEnd && 'Loading …'}
          {isAtEnd && skipped > 0 && 'No other questions: only those that you skipped are left.'}
          {isAtEnd &&
            skipped === 0 &&
            'No open questions. Questions appear here when a video has suggestions that nobody has decided on yet.'}
        </p>
      ) : (
        <QuestionCard question={question} press={press} answer={answer} contexts={contexts} />
      )}
    </>
  );
};
