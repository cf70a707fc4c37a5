import { useEffect, useRef, useState } from 'preact/hooks';
import type { MediaAnalysis, Question } from '../../client/index.js';
import { messageOf } from '../format.js';
import { pollMs, useEvery } from '../hooks.js';
import type { Session } from '../session.js';
import { isAway } from '../words.js';

/** How many questions are kept ready, and counted. */
const queueLength = 100;
/** How few may be left before more are fetched. */
const minQueueLength = 5;

export const isSameQuestion = (one: Question, other: Question | undefined): boolean =>
  other !== undefined &&
  one.kind === other.kind &&
  one.video_id === other.video_id &&
  one.speaker_id === other.speaker_id;

export const idOf = ({ kind, video_id, speaker_id }: Question): string => `${kind} ${video_id} ${speaker_id}`;

export interface Questions {
  /** The questions that are left, without those skipped, at most 100; the first is on the screen. */
  readonly queue: ReadonlyArray<Question>;
  readonly hasMore: boolean;
  readonly skipped: number;
  readonly isAtEnd: boolean;
  /** The service does not answer at present. */
  readonly isAway: boolean;
  readonly error: string;
  readonly setError: (message: string) => void;
  /** Moves on to the next question; this one is not asked again. */
  readonly next: (question: Question) => void;
  /** Moves on to the next question; this one is asked again when the reviewer wants it. */
  readonly skip: (question: Question) => void;
  /** Asks the skipped questions again. */
  readonly showSkipped: () => void;
  /** Asks this question now. */
  readonly back: (question: Question) => void;
  /** Allows this question to be asked again when the service lists it. */
  readonly again: (question: Question) => void;
}

/** The queue with the fetched questions; the one on the screen stays first, and the same object, if nothing about it changed. */
const mergedQueue = (
  before: ReadonlyArray<Question>,
  open: ReadonlyArray<Question>,
  staysOpen: boolean,
): ReadonlyArray<Question> => {
  const [shown] = before;
  if (shown === undefined || !staysOpen) return open;
  const fresh = open.find((one) => isSameQuestion(one, shown));
  const isChanged = fresh !== undefined && JSON.stringify(fresh) !== JSON.stringify(shown);
  return [isChanged ? fresh : shown, ...open.filter((one) => one !== fresh)];
};

/** The open questions, the ids of all that were listed, and whether the question on the screen is still open. */
const fetched = async (client: MediaAnalysis, isHidden: (one: Question) => boolean, shown: Question | undefined) => {
  const open: Question[] = [];
  const seen = new Set<string>();
  for await (const question of client.review.list({ limit: queueLength })) {
    seen.add(idOf(question));
    if (!isHidden(question)) open.push(question);
    if (open.length >= queueLength) break;
  }
  const isComplete = open.length < queueLength;
  let staysOpen = open.some((one) => isSameQuestion(one, shown));
  if (!staysOpen && !isComplete && shown !== undefined)
    for await (const one of client.review.list({ video_id: shown.video_id })) staysOpen ||= isSameQuestion(one, shown);
  return { open, seen, isComplete, staysOpen };
};

/**
 * The open questions of all videos, the most useful first, without those that were answered or skipped on this page.
 * Questions that others answer disappear within a second, the one on the screen too.
 */
export const useQuestions = ({ client }: Session): Questions => {
  const [queue, setQueue] = useState<ReadonlyArray<Question>>([]);
  const [error, setError] = useState('');
  const [failure, setFailure] = useState<unknown>(null);
  const [isAtEnd, setAtEnd] = useState(false);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const done = useRef(new Set<string>());
  const isFetching = useRef(false);
  const latest = useRef({ queue, skipped });
  latest.current = { queue, skipped };
  const isHidden = (one: Question): boolean => done.current.has(idOf(one)) || latest.current.skipped.has(idOf(one));
  const fetchQueue = async (): Promise<void> => {
    if (isFetching.current) return;
    isFetching.current = true;
    try {
      const [shown] = latest.current.queue;
      const { open, seen, isComplete, staysOpen } = await fetched(client, isHidden, shown);
      setQueue((before) => {
        const isStill = before[0] === shown && staysOpen;
        return mergedQueue(
          before,
          open.filter((one) => !isHidden(one)),
          isStill || (before[0] !== undefined && before[0] !== shown),
        );
      });
      // Questions that somebody else has answered since are not skipped any more.
      if (isComplete)
        setSkipped((all) =>
          [...all].every((id) => seen.has(id)) ? all : new Set([...all].filter((id) => seen.has(id))),
        );
      setAtEnd(open.length === 0);
      setFailure(null);
    } catch (reason) {
      setFailure(reason);
    } finally {
      isFetching.current = false;
    }
  };
  useEffect(() => {
    if (queue.length < minQueueLength && !isAtEnd) void fetchQueue();
  }, [queue, isAtEnd]);
  useEvery(pollMs, fetchQueue);
  const leave = (question: Question): void =>
    setQueue((before) => before.filter((one) => !isSameQuestion(one, question)));
  const next = (question: Question): void => {
    done.current.add(idOf(question));
    leave(question);
  };
  const skip = (question: Question): void => {
    setSkipped((all) => new Set([...all, idOf(question)]));
    leave(question);
  };
  const showSkipped = (): void => {
    setSkipped(new Set());
    setAtEnd(false);
  };
  const back = (question: Question): void => {
    done.current.delete(idOf(question));
    setQueue((before) => [question, ...before.filter((one) => !isSameQuestion(one, question))]);
  };
  const again = (question: Question): void => {
    done.current.delete(idOf(question));
    void fetchQueue();
  };
  const away = isAway(failure);
  return {
    queue,
    hasMore: queue.length >= queueLength,
    skipped: skipped.size,
    isAtEnd,
    isAway: away,
    error: error !== '' || failure === null || away ? error : messageOf(failure),
    setError,
    next,
    skip,
    showSkipped,
    back,
    again,
  };
};
