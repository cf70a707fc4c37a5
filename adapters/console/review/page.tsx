import { useEffect, useRef, useState } from 'preact/hooks';
import type { Question } from '../../client/index.js';
import { number, words } from '../format.js';
import { useKeys } from '../hooks.js';
import type { Session } from '../session.js';
import { Notice } from '../ui.js';
import { changedSince } from '../video/history.js';
import { type Choice, choicesOf } from './choices.js';
import { type Conflict, Conflicts } from './conflicts.js';
import { QuestionCard, askedIn } from './question-card.js';
import { Overtaken, storeAnswer, writeAnswer } from './store-answer.js';
import { useQuestions } from './use-questions.js';

const keysHelp: ReadonlyArray<readonly [string, string]> = [
  ['1 to 5', 'the speaker is this face, or has this name'],
  ['n', 'the speaker is not to be seen'],
  ['x', 'it is not the first face: these two never again'],
  ['k', 'the name and the face are right as they are'],
  ['s', 'leave this question for later'],
  ['u', 'undo the last answer'],
  ['o', 'open the video'],
  ['y', 'where somebody else was faster: my answer is to stand'],
  ['l', 'where somebody else was faster: leave it as it is'],
  ['?', 'show or hide these keys'],
];

/** An answer that was given, and where it stands once it is stored. */
interface Given {
  readonly asked: Question;
  readonly choice: Choice;
  readonly position: Promise<string | null>;
}

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

/** What was answered here, and where somebody else was faster. */
const useAnswers = ({ client }: Session, { setError, next, back, again }: ReturnType<typeof useQuestions>) => {
  const given = useRef<Given[]>([]);
  const [count, setCount] = useState(0);
  const [pending, setPending] = useState(0);
  const [conflicts, setConflicts] = useState<ReadonlyArray<Conflict>>([]);
  const leave = (conflict: Conflict): void => setConflicts((all) => all.filter((one) => one !== conflict));
  const keep = (asked: Question, choice: Choice, position: Promise<string | null>): void => {
    const own = { asked, choice, position };
    given.current.push(own);
    setCount((n) => n + 1);
    setPending((n) => n + 1);
    const ended = (): void => setPending((n) => n - 1);
    position.then(ended, ended);
    setError('');
    position.then(
      () => choice.asksAgain === true && again(asked),
      (reason: unknown) => {
        given.current = given.current.filter((one) => one !== own);
        setCount((n) => n - 1);
        if (reason instanceof Overtaken) {
          const about = `${askedIn(asked)}: “${choice.text}”.`;
          setConflicts((all) => [...all, { asked, choice, about, standing: reason.standing }]);
          return again(asked);
        }
        setError(`Not stored: ${words(reason)}`);
        back(asked);
      },
    );
  };
  const answer = (asked: Question, choice: Choice): void => {
    next(asked);
    // One's own answers about a video come one after the other: they are no conflict.
    const before = given.current.findLast((one) => one.asked.video_id === asked.video_id);
    const store = (): Promise<string | null> => storeAnswer(client, asked, choice);
    keep(asked, choice, before === undefined ? store() : before.position.then(store, store));
  };
  const insist = (conflict: Conflict): void => {
    leave(conflict);
    next(conflict.asked);
    keep(conflict.asked, conflict.choice, writeAnswer(client, conflict.choice));
  };
  const undo = async (): Promise<void> => {
    const last = given.current.pop();
    if (last === undefined) return setError('There is nothing to undo.');
    const position = await last.position;
    const undone = position === null ? null : await last.choice.undo(client, position);
    setCount((n) => n - 1);
    setError(undone === null ? '' : changedSince(undone));
    back(last.asked);
  };
  useEffect(() => {
    // A tab that is closed now would lose answers: its browser asks first.
    if (pending === 0) return;
    const leaving = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', leaving);
    return () => removeEventListener('beforeunload', leaving);
  }, [pending]);
  return { count, pending, conflicts, answer, insist, leave, undo };
};

/** One question after the other, one key an answer; the next is shown before the last is stored. */
export const Review = ({ session }: { readonly session: Session }) => {
  const questions = useQuestions(session);
  const { question, isAtEnd, error, setError, next } = questions;
  const { count, pending, conflicts, answer, insist, leave, undo } = useAnswers(session, questions);
  const [help, setHelp] = useState(false);
  const press = (key: string): boolean => {
    const [conflict] = conflicts;
    if (key === '?') return (setHelp((shown) => !shown), true);
    if (key === 'u') return (undo().catch((reason: unknown) => setError(words(reason))), true);
    if (conflict !== undefined && key === 'y') return (insist(conflict), true);
    if (conflict !== undefined && key === 'l') return (leave(conflict), true);
    if (question === undefined) return false;
    if (key === 's') return (next(question), true);
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
        {pending > 0 && <span class="quiet">storing {number(pending)} …</span>}
        <button type="button" class="small" aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys (?)
        </button>
      </header>
      {help && <Help />}
      {error !== '' && <Notice>{error}</Notice>}
      <Conflicts conflicts={conflicts} onInsist={insist} onLeave={leave} />
      {question === undefined ? (
        <p class="quiet">
          {isAtEnd
            ? 'No question is open. There are some where a video has suggestions that nobody has decided about yet.'
            : 'Loading …'}
        </p>
      ) : (
        <QuestionCard question={question} press={press} session={session} />
      )}
    </>
  );
};
