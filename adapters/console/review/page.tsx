import { useRef, useState } from 'preact/hooks';
import type { Question } from '../../client/index.js';
import { words } from '../format.js';
import { useKeys } from '../hooks.js';
import type { Session } from '../session.js';
import { Notice } from '../ui.js';
import { type Choice, choicesOf } from './choices.js';
import { QuestionCard } from './question-card.js';
import { useQuestions } from './use-questions.js';

const keysHelp: ReadonlyArray<readonly [string, string]> = [
  ['1 to 5', 'the speaker is this face, or has this name'],
  ['n', 'the speaker is not to be seen'],
  ['x', 'it is not the first face'],
  ['k', 'the name and the face are right as they are'],
  ['s', 'leave this question for later'],
  ['u', 'undo the last answer'],
  ['o', 'open the video'],
  ['?', 'show or hide these keys'],
];

/** An answer that was given, and where it stands once it is stored. */
interface Given {
  readonly question: Question;
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

/** One question after the other, one key an answer; the next is shown before the last is stored. */
export const Review = ({ session }: { readonly session: Session }) => {
  const { client } = session;
  const { question, isAtEnd, error, setError, next, back, again } = useQuestions(session);
  const given = useRef<Given[]>([]);
  const [count, setCount] = useState(0);
  const [help, setHelp] = useState(false);
  const store = (asked: Question, choice: Choice): void => {
    const position = choice
      .write(client)
      .withResponse()
      .then(({ response }) => response.position);
    given.current.push({ question: asked, choice, position });
    setCount((n) => n + 1);
    next(asked);
    position.then(
      () => choice.asksAgain === true && again(asked),
      (reason: unknown) => {
        given.current = given.current.filter((one) => one.question !== asked);
        setCount((n) => n - 1);
        setError(`Not stored: ${words(reason)}`);
        back(asked);
      },
    );
  };
  const undo = async (): Promise<void> => {
    const last = given.current.pop();
    if (last === undefined) return setError('There is nothing to undo.');
    const position = await last.position;
    if (position !== null) await last.choice.undo(client, position);
    setCount((n) => n - 1);
    setError('');
    back(last.question);
  };
  const press = (key: string): boolean => {
    if (key === '?') return (setHelp((shown) => !shown), true);
    if (key === 'u') return (undo().catch((reason: unknown) => setError(words(reason))), true);
    if (question === undefined) return false;
    if (key === 's') return (next(question), true);
    if (key === 'o') return ((location.hash = `#/videos/${encodeURIComponent(question.video_id)}`), true);
    const choice = choicesOf(question).find((one) => one.key === key);
    if (choice === undefined) return false;
    setError('');
    store(question, choice);
    return true;
  };
  useKeys(press);
  return (
    <>
      <header class="title">
        <h1>Review</h1>
        <span class="quiet" role="status">
          {count} answered
        </span>
        <button type="button" class="small" aria-expanded={help} onClick={() => setHelp(!help)}>
          Keys (?)
        </button>
      </header>
      {help && <Help />}
      {error !== '' && <Notice>{error}</Notice>}
      {question === undefined ? (
        <p class="quiet">{isAtEnd ? 'No question is open.' : 'Loading …'}</p>
      ) : (
        <QuestionCard question={question} press={press} session={session} />
      )}
    </>
  );
};
