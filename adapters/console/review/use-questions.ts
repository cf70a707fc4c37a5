import { useEffect, useRef, useState } from 'preact/hooks';
import type { Question } from '../../client/index.js';
import { words } from '../format.js';
import { live, useEvery } from '../hooks.js';
import type { Session } from '../session.js';
import { isSameQuestion as isSame } from './store-answer.js';

const ahead = 20;
const fewest = 5;

const idOf = ({ kind, video_id, speaker_id }: Question): string => `${kind} ${video_id} ${speaker_id}`;

export interface Questions {
  readonly question: Question | undefined;
  readonly isAtEnd: boolean;
  readonly error: string;
  readonly setError: (words: string) => void;
  /** Goes on to the next question; this one does not come again. */
  readonly next: (question: Question) => void;
  /** Asks this one now. */
  readonly back: (question: Question) => void;
  /** Lets the service ask this one again, when its turn comes. */
  readonly again: (question: Question) => void;
}

/**
 * The open questions of all videos, the best first; those that were answered or left do not come again. What others answer
 * leaves the queue within a moment.
 */
export const useQuestions = ({ client }: Session): Questions => {
  const [queue, setQueue] = useState<ReadonlyArray<Question>>([]);
  const [error, setError] = useState('');
  const [isAtEnd, setAtEnd] = useState(false);
  const passed = useRef(new Set<string>());
  const isAsking = useRef(false);
  const ask = async (): Promise<void> => {
    if (isAsking.current) return;
    isAsking.current = true;
    try {
      const open: Question[] = [];
      for await (const question of client.review.list({ limit: 100 })) {
        if (!passed.current.has(idOf(question))) open.push(question);
        if (open.length >= ahead) break;
      }
      // Some may have been answered while this was asked.
      const isLeft = (one: Question): boolean => !passed.current.has(idOf(one));
      const isWhole = open.length < ahead;
      setQueue((before) => {
        const [shown] = before;
        const left = open.filter(isLeft);
        const isOpen = shown !== undefined && isLeft(shown) && (!isWhole || left.some((one) => isSame(one, shown)));
        // The one that is shown stays as it is, unless somebody else has answered it.
        const after = isOpen ? [shown, ...left.filter((one) => !isSame(one, shown))] : left;
        return after.length === before.length && after.every((one, at) => isSame(one, before[at])) ? before : after;
      });
      setAtEnd(open.length === 0);
    } catch (reason) {
      setError(words(reason));
    } finally {
      isAsking.current = false;
    }
  };
  useEffect(() => {
    if (queue.length < fewest && !isAtEnd) void ask();
  }, [queue, isAtEnd]);
  useEvery(live, ask);
  const next = (question: Question): void => {
    passed.current.add(idOf(question));
    setQueue((before) => before.filter((one) => !isSame(one, question)));
  };
  const back = (question: Question): void => {
    passed.current.delete(idOf(question));
    setQueue((before) => [question, ...before.filter((one) => !isSame(one, question))]);
  };
  const again = (question: Question): void => {
    passed.current.delete(idOf(question));
    void ask();
  };
  return { question: queue[0], isAtEnd, error, setError, next, back, again };
};
