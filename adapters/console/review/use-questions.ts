import { useEffect, useRef, useState } from 'preact/hooks';
import type { Question } from '../../client/index.js';
import { messageOf } from '../format.js';
import { pollMs, useEvery } from '../hooks.js';
import type { Session } from '../session.js';

/** How many questions are kept ready, and how few may be left before more are fetched. */
const queueLength = 20;
const minQueueLength = 5;

export const isSameQuestion = (one: Question, other: Question | undefined): boolean =>
  other !== undefined &&
  one.kind === other.kind &&
  one.video_id === other.video_id &&
  one.speaker_id === other.speaker_id;

const idOf = ({ kind, video_id, speaker_id }: Question): string => `${kind} ${video_id} ${speaker_id}`;

export interface Questions {
  readonly question: Question | undefined;
  readonly isAtEnd: boolean;
  readonly error: string;
  readonly setError: (message: string) => void;
  /** Moves on to the next question; this one is not asked again. */
  readonly next: (question: Question) => void;
  /** Asks this question now. */
  readonly back: (question: Question) => void;
  /** Allows this question to be asked again when the service lists it. */
  readonly again: (question: Question) => void;
}

/**
 * The queue with the fetched questions, without those that have been answered since the request was sent. The question
 * on the screen stays first unless somebody else has answered it: then it is missing in a complete list. Returns `before`
 * itself if nothing changed.
 */
const mergedQueue = (
  before: ReadonlyArray<Question>,
  fetched: ReadonlyArray<Question>,
  done: ReadonlySet<string>,
): ReadonlyArray<Question> => {
  const [shown] = before;
  const isComplete = fetched.length < queueLength;
  const isOpen = (one: Question): boolean => !done.has(idOf(one));
  const open = fetched.filter(isOpen);
  const staysOpen =
    shown !== undefined && isOpen(shown) && (!isComplete || open.some((one) => isSameQuestion(one, shown)));
  const after = staysOpen ? [shown, ...open.filter((one) => !isSameQuestion(one, shown))] : open;
  return after.length === before.length && after.every((one, at) => isSameQuestion(one, before[at])) ? before : after;
};

/**
 * The open questions of all videos, the most useful first, without those that were answered or skipped on this page.
 * Questions that others answer disappear within a second.
 */
export const useQuestions = ({ client }: Session): Questions => {
  const [queue, setQueue] = useState<ReadonlyArray<Question>>([]);
  const [error, setError] = useState('');
  const [isAtEnd, setAtEnd] = useState(false);
  const done = useRef(new Set<string>());
  const isFetching = useRef(false);
  const fetchQueue = async (): Promise<void> => {
    if (isFetching.current) return;
    isFetching.current = true;
    try {
      const open: Question[] = [];
      for await (const question of client.review.list({ limit: 100 })) {
        if (!done.current.has(idOf(question))) open.push(question);
        if (open.length >= queueLength) break;
      }
      setQueue((before) => mergedQueue(before, open, done.current));
      setAtEnd(open.length === 0);
    } catch (reason) {
      setError(messageOf(reason));
    } finally {
      isFetching.current = false;
    }
  };
  useEffect(() => {
    if (queue.length < minQueueLength && !isAtEnd) void fetchQueue();
  }, [queue, isAtEnd]);
  useEvery(pollMs, fetchQueue);
  const next = (question: Question): void => {
    done.current.add(idOf(question));
    setQueue((before) => before.filter((one) => !isSameQuestion(one, question)));
  };
  const back = (question: Question): void => {
    done.current.delete(idOf(question));
    setQueue((before) => [question, ...before.filter((one) => !isSameQuestion(one, question))]);
  };
  const again = (question: Question): void => {
    done.current.delete(idOf(question));
    void fetchQueue();
  };
  return { question: queue[0], isAtEnd, error, setError, next, back, again };
};
