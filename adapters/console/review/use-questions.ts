import { useEffect, useRef, useState } from 'preact/hooks';
import type { Interval, MediaAnalysis, Question, TranscriptUtterance, VideoRecord } from '../../client/index.js';
import { messageOf } from '../format.js';
import { pollMs, useEvery } from '../hooks.js';
import { useClient } from '../session.js';
import { sightingsOf, speakerName } from '../video/lanes.js';
import { isAway } from '../words.js';

/** What helps to answer a question. */
export interface Context {
  readonly question: Question;
  readonly video: VideoRecord;
  readonly speaker: string;
  /** The first words of the speaker. */
  readonly utterances: ReadonlyArray<TranscriptUtterance>;
  readonly turn: Interval | null;
  /** Where each candidate is seen, at best while the speaker talks. */
  readonly sightings: ReadonlyMap<number, ReadonlyArray<Interval>>;
}

const maxUtterances = 3;
const maxTurns = 200;

const contextOf = async (client: MediaAnalysis, question: Question, signal: AbortSignal): Promise<Context> => {
  const { video_id, audio_id, speaker_id, candidates } = question;
  const asking = { signal };
  const ofSpeaker = { speaker_id, limit: maxTurns };
  const [video, audio, turns] = await Promise.all([
    client.videos.get(video_id, {}, asking),
    audio_id === null ? null : client.audios.get(audio_id, {}, asking),
    audio_id === null ? [] : client.audios.segments(audio_id, ofSpeaker, asking).toArray(maxTurns),
  ]);
  const [utterances, sightings] = await Promise.all([
    audio?.transcript_available === true
      ? client.audios.transcript(audio.audio_id, { speaker_id, limit: maxUtterances }, asking).toArray(maxUtterances)
      : [],
    Promise.all(
      candidates.map(async ({ face_id }) => {
        const [face] = await client.videos.tracks(video_id, { face_id }, asking).toArray(1);
        return [face_id, sightingsOf(face?.tracks ?? [], turns)] as const;
      }),
    ),
  ]);
  const name = audio?.speakers.find((one) => one.speaker_id === speaker_id)?.name;
  return {
    question,
    video,
    speaker: speakerName(speaker_id, name),
    utterances,
    turn: turns[0] ?? null,
    sightings: new Map(sightings),
  };
};

export interface Contexts {
  /** What was fetched about a question before; null if nothing was. */
  readonly known: (question: Question) => Context | null;
  readonly fetch: (question: Question, signal: AbortSignal) => Promise<Context>;
}

/** For how many of the next questions the context is fetched. */
const ahead = 10;
/** For how many questions the context is kept. */
const maxKept = 50;

/** Fetches the contexts of questions, those of the next ones in advance, so that they can be answered in an outage too. */
export const useContexts = ({ queue, isAway }: Pick<Questions, 'queue' | 'isAway'>): Contexts => {
  const client = useClient();
  const kept = useRef(new Map<string, Context>());
  const fetch: Contexts['fetch'] = async (question, signal) => {
    const context = await contextOf(client, question, signal);
    kept.current.delete(idOf(question));
    kept.current.set(idOf(question), context);
    for (const id of [...kept.current.keys()].slice(0, -maxKept)) kept.current.delete(id);
    return context;
  };
  const upcoming = queue.slice(1, 1 + ahead);
  useEffect(() => {
    const stop = new AbortController();
    const fetchAll = async (): Promise<void> => {
      for (const question of upcoming) if (!kept.current.has(idOf(question))) await fetch(question, stop.signal);
    };
    fetchAll().catch(() => undefined);
    return () => stop.abort();
  }, [upcoming.map(idOf).join(), isAway]);
  const known = (question: Question): Context | null => {
    const context = kept.current.get(idOf(question));
    return context === undefined ? null : { ...context, question };
  };
  return { known, fetch };
};

/** How many questions are kept ready, and counted. */
const queueLength = 100;
/** How few may be left before more are fetched. */
const minQueueLength = 5;

export const isSameQuestion = (one: Question, other: Question | undefined): boolean =>
  other !== undefined &&
  one.kind === other.kind &&
  one.video_id === other.video_id &&
  one.speaker_id === other.speaker_id;

const idOf = ({ kind, video_id, speaker_id }: Question): string => `${kind} ${video_id} ${speaker_id}`;

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
export const useQuestions = (): Questions => {
  const client = useClient();
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
