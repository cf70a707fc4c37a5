import { useState } from 'preact/hooks';
import { number, messageOf } from '../format.js';
import { useKeys, useQuery } from '../hooks.js';
import type { Session } from '../session.js';
import { Notice } from '../ui.js';
import { choicesOf } from './choices.js';
import { useContexts } from './contexts.js';
import { QuestionCard } from './question-card.js';
import { type Conflict, useAnswers } from './use-answers.js';
import { type Questions, useQuestions } from './use-questions.js';

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

const Help = () => (
  <dl class="keys">
    {keysHelp.map(([key, does]) => (
      <div key={key}>
        <dt>
          <kbd>{key}</kbd>
        </dt>
        <dd>{does}</dd>
      </div>
    ))}
  </dl>
);

/** Answers that were not stored: the reviewer chooses which decision holds. */
const Conflicts = ({
  conflicts,
  onInsist,
  onDismiss,
}: {
  readonly conflicts: ReadonlyArray<Conflict>;
  readonly onInsist: (conflict: Conflict) => void;
  readonly onDismiss: (conflict: Conflict) => void;
}) => (
  <>
    {conflicts.map((conflict) => (
      <Notice key={conflict} tone="wait">
        <strong>Not stored:</strong> {conflict.about} Somebody else decided otherwise in the meantime.{' '}
        {conflict.decisions.join(' ')}
        <div class="actions">
          <button type="button" onClick={() => onInsist(conflict)}>
            <kbd>y</kbd> Store my answer anyway
          </button>
          <button type="button" onClick={() => onDismiss(conflict)}>
            <kbd>l</kbd> Keep the other decision
          </button>
        </div>
      </Notice>
    ))}
  </>
);

const maxCounted = 1_000;
/** After how many answers a long list is counted again. */
const recountAfter = 20;

/** How many questions are left. The service does not count them, so a long list is read, up to 1,000. */
const Left = ({
  client,
  left,
  hasMore,
  answered,
  skipped,
}: Pick<Session, 'client'> &
  Pick<Questions, 'hasMore' | 'skipped'> & { readonly left: number; readonly answered: number }) => {
  const { answer } = useQuery(
    async (signal) =>
      hasMore ? (await client.review.list({ limit: maxCounted }, { signal }).toArray(maxCounted)).length : null,
    [hasMore, Math.floor(answered / recountAfter)],
  );
  const exact = answer === null || !hasMore ? left : Math.max(left, answer - skipped - (answered % recountAfter));
  const isMore = hasMore && (answer === null || answer === maxCounted);
  return <span class="quiet">{isMore ? `${number(answer ?? left)} or more` : number(exact)} left</span>;
};

/** Asks one question after the other, each answered with one key. The next question is shown while the answer is being stored. */
export const Review = ({ session }: { readonly session: Session }) => {
  const questions = useQuestions(session);
  const { queue, hasMore, skipped, isAtEnd, isAway, error, setError, skip, showSkipped } = questions;
  const [question] = queue;
  const left = queue.length;
  const { count, pending, isWaiting, conflicts, answer, insist, dismiss, undo } = useAnswers(session, questions);
  const contexts = useContexts(session, questions);
  const [help, setHelp] = useState(false);
  const press = (key: string): boolean => {
    const [conflict] = conflicts;
    if (key === '?') return (setHelp((shown) => !shown), true);
    if (key === 'u') return (undo().catch((reason: unknown) => setError(messageOf(reason))), true);
    if (conflict !== undefined && key === 'y') return (insist(conflict), true);
    if (conflict !== undefined && key === 'l') return (dismiss(conflict), true);
    if (question === undefined) return false;
    if (key === 's') return (skip(question), true);
    if (key === 'o') return ((location.hash = `#/videos/${encodeURIComponent(question.video_id)}`), true);
    const choice = choicesOf(question).find((one) => one.key === key);
    if (choice === undefined) return false;
    answer(question, choice);
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
        {(left > 0 || isAtEnd) && (
          <Left client={session.client} left={left} hasMore={hasMore} answered={count} skipped={skipped} />
        )}
        {pending > 0 && (
          <span class="quiet" role="status">
            {isWaiting || isAway ? `${number(pending)} not stored yet` : `storing ${number(pending)} …`}
          </span>
        )}
        {skipped > 0 && (
          <button type="button" class="small" onClick={showSkipped}>
            {number(skipped)} skipped: show again
          </button>
        )}
        {count > 0 && (
          <button type="button" class="small" onClick={() => press('u')}>
            Undo the last answer
          </button>
        )}
        <button type="button" class="small" aria-expanded={help} onClick={() => setHelp(!help)}>
          Keyboard shortcuts (?)
        </button>
      </header>
      {help && <Help />}
      {error !== '' && <Notice>{error}</Notice>}
      {(isAway || isWaiting) && (
        <p class="quiet" role="status">
          Your answers are kept in this tab, and stored as soon as the service answers: go on.
        </p>
      )}
      <Conflicts conflicts={conflicts} onInsist={insist} onDismiss={dismiss} />
      {question === undefined ? (
        <p class="quiet">
          {!isAtEnd && 'Loading …'}
          {isAtEnd && skipped > 0 && 'No other questions: only those that you skipped are left.'}
          {isAtEnd &&
            skipped === 0 &&
            'No open questions. Questions appear here when a video has suggestions that nobody has decided on yet.'}
        </p>
      ) : (
        <QuestionCard question={question} press={press} answer={answer} session={session} contexts={contexts} />
      )}
    </>
  );
};
