import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Question } from '../client/index.js';
import { words } from './format.js';
import { useKeys } from './hooks.js';
import { QuestionCard } from './question-card.js';
import type { Session } from './session.js';
import { Notice } from './ui.js';

const ahead = 20;
const keysHelp: ReadonlyArray<readonly [string, string]> = [
  ['1 to 5', 'the speaker is this face'],
  ['n', 'the speaker is not to be seen'],
  ['x', 'it is not the first face; ask again'],
  ['s', 'leave this question for later'],
  ['u', 'undo the last answer'],
  ['o', 'open the video'],
  ['?', 'show or hide these keys'],
];

const idOf = ({ kind, video_id, speaker_id }: Question): string => `${kind} ${video_id} ${speaker_id}`;

interface Stored {
  readonly question: Question;
  readonly position: Promise<string | null>;
}

/** The questions, the best first; those that were answered or left do not come again. */
const useQueue = ({ client }: Session) => {
  const [queue, setQueue] = useState<ReadonlyArray<Question>>([]);
  const [error, setError] = useState('');
  const [isAtEnd, setAtEnd] = useState(false);
  const passed = useRef(new Set<string>());
  const isAsking = useRef(false);
  const fill = useCallback(async () => {
    if (isAsking.current) return;
    isAsking.current = true;
    try {
      const found: Question[] = [];
      for await (const question of client.review.list({ kind: 'link', limit: 100 })) {
        if (!passed.current.has(idOf(question))) found.push(question);
        if (found.length >= ahead) break;
      }
      setQueue((before) => {
        const known = new Set(before.map(idOf));
        return [...before, ...found.filter((one) => !known.has(idOf(one)) && !passed.current.has(idOf(one)))];
      });
      setAtEnd(found.length === 0);
    } catch (reason) {
      setError(words(reason));
    } finally {
      isAsking.current = false;
    }
  }, [client]);
  useEffect(() => void fill(), [fill]);
  const next = (question: Question): void => {
    passed.current.add(idOf(question));
    setQueue((before) => {
      const left = before.filter((one) => idOf(one) !== idOf(question));
      if (left.length < 5) void fill();
      return left;
    });
  };
  const back = (question: Question): void => {
    passed.current.delete(idOf(question));
    setQueue((before) => [question, ...before.filter((one) => idOf(one) !== idOf(question))]);
  };
  const again = (question: Question): void => {
    passed.current.delete(idOf(question));
    void fill();
  };
  return { question: queue[0], isAtEnd, error, setError, next, back, again };
};

type Answer = { readonly face_id: number | null; readonly verdict: 'confirmed' | 'rejected' };

const answerOf = ({ candidates }: Question, key: string): Answer | null => {
  if (key === 'n') return { face_id: null, verdict: 'confirmed' };
  const [first] = candidates;
  if (key === 'x') return first === undefined ? null : { face_id: first.face_id, verdict: 'rejected' };
  const chosen = /^[1-5]$/.test(key) ? candidates[Number(key) - 1] : undefined;
  return chosen === undefined ? null : { face_id: chosen.face_id, verdict: 'confirmed' };
};

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
  const { question, isAtEnd, error, setError, next, back, again } = useQueue(session);
  const stored = useRef<Stored[]>([]);
  const [count, setCount] = useState(0);
  const [help, setHelp] = useState(false);
  const store = (asked: Question, answer: Answer): void => {
    const decisions = [{ speaker_id: asked.speaker_id, ...answer }];
    const position = client.decisions
      .create(asked.video_id, { decisions })
      .withResponse()
      .then(({ response }) => response.position);
    stored.current.push({ question: asked, position });
    setCount((n) => n + 1);
    next(asked);
    position.catch((reason: unknown) => {
      stored.current = stored.current.filter((one) => one.question !== asked);
      setCount((n) => n - 1);
      setError(`Not stored: ${words(reason)}`);
      back(asked);
    });
    // Rejected is one face alone: who else it may be is asked once the service knows that.
    if (answer.verdict === 'rejected')
      position.then(
        () => again(asked),
        () => undefined,
      );
  };
  const undo = async (): Promise<void> => {
    const last = stored.current.pop();
    if (last === undefined) return setError('There is nothing to undo.');
    const position = await last.position;
    if (position !== null) await client.videos.revert(last.question.video_id, position);
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
    const answer = answerOf(question, key);
    if (answer === null) return false;
    setError('');
    store(question, answer);
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
