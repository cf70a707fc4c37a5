import { useEffect, useRef, useState } from 'preact/hooks';
import type { Interval, MediaAnalysis, Question, TranscriptUtterance, VideoRecord } from '../../client/index.js';
import { messageOf } from '../format.js';
import { pollMs, useQuery } from '../hooks.js';
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

/** For how many of the next questions the context is fetched. */
const ahead = 10;
/** For how many questions the context is kept. */
const maxKept = 50;

/** Fetches the contexts of questions, those of the next ones in advance, so that they can be answered in an outage too. */
export const useContexts = ({ queue, isAway }: Pick<Questions, 'queue' | 'isAway'>) => {
  const client = useClient();
  const kept = useRef(new Map<string, Context>());
  const fetch = async (question: Question, signal: AbortSignal): Promise<Context> => {
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
  /** What was fetched about a question before; null if nothing was. */
  const known = (question: Question): Context | null => {
    const context = kept.current.get(idOf(question));
    return context === undefined ? null : { ...context, question };
  };
  return { known, fetch };
};

export type Contexts = ReturnType<typeof useContexts>;

/** How many questions are kept ready, and counted. */
const queueLength = 100;

const idOf = ({ kind, video_id, speaker_id }: Question): string => `${kind} ${video_id} ${speaker_id}`;

export const isSameQuestion = (one: Question, other: Question): boolean => idOf(one) === idOf(other);

/** What the service listed: `shown` is the question that was on the screen then, and is among them if it is still open. */
interface Listed {
  readonly questions: ReadonlyArray<Question>;
  readonly isComplete: boolean;
  readonly shown: Question | null;
}

/** Lists questions until so many are found that are not hidden. */
const list = async (
  client: MediaAnalysis,
  isHidden: (one: Question) => boolean,
  shown: Question | null,
  signal: AbortSignal,
): Promise<Listed> => {
  const questions: Question[] = [];
  let left = queueLength;
  for await (const question of client.review.list({ limit: queueLength }, { signal })) {
    questions.push(question);
    left -= isHidden(question) ? 0 : 1;
    if (left === 0) break;
  }
  const isComplete = left > 0;
  if (shown !== null && !isComplete && !questions.some((one) => isSameQuestion(one, shown)))
    for await (const one of client.review.list({ video_id: shown.video_id }, { signal }))
      if (isSameQuestion(one, shown)) questions.push(one);
  return { questions, isComplete, shown };
};

/** The question on the screen: it stays there, and the same object, until it changes or is not open any more. */
const shownOf = (before: Question | null, open: ReadonlyArray<Question>, listed: Listed | null): Question | null => {
  const fresh = before === null ? undefined : open.find((one) => isSameQuestion(one, before));
  if (before === null || (fresh === undefined && listed?.shown === before)) return open[0] ?? null;
  return fresh === undefined || JSON.stringify(fresh) === JSON.stringify(before) ? before : fresh;
};

/**
 * The open questions of all videos, the most useful first, without those that were answered or skipped on this page.
 * Questions that others answer disappear within a second, the one on the screen too.
 */
export const useQuestions = () => {
  const client = useClient();
  const [message, setError] = useState('');
  const [front, setFront] = useState<Question | null>(null);
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  /** The ids of the answered questions: hidden, some of them only until the service lists questions anew. */
  const [done, setDone] = useState<ReadonlyMap<string, Listed | 'for good' | null>>(new Map());
  const isHidden = (one: Question): boolean => {
    const until = done.get(idOf(one));
    return skipped.has(idOf(one)) || until === 'for good' || (until !== undefined && until === answer);
  };
  const { answer, error, refresh } = useQuery((signal) => list(client, isHidden, front, signal), [], pollMs);
  const { questions = [], isComplete = false } = answer ?? {};
  const open = questions.filter((one) => !isHidden(one));
  const shown = shownOf(front === null || isHidden(front) ? null : front, open, answer);
  useEffect(() => setFront(shown), [shown]);
  const queue = shown === null ? [] : [shown, ...open.filter((one) => !isSameQuestion(one, shown))];
  const hide = (question: Question, until: Listed | 'for good' | null): void =>
    setDone((all) => new Map([...all, [idOf(question), until]]));
  return {
    /** The questions that are left, without those skipped, at most 100; the first is on the screen. */
    queue: queue.slice(0, queueLength),
    hasMore: answer !== null && !isComplete,
    // Those that somebody else has answered since are not skipped any more.
    skipped: isComplete ? questions.filter((one) => skipped.has(idOf(one))).length : skipped.size,
    isAtEnd: isComplete && queue.length === 0,
    /** Whether the service does not answer at present. */
    isAway: isAway(error),
    error: message !== '' || error === null || isAway(error) ? message : messageOf(error),
    setError: (text: string): void => setError(text),
    /** Moves on to the next question; this one is not asked again. */
    next: (question: Question): void => hide(question, 'for good'),
    /** Moves on to the next question; this one is asked again when the reviewer wants it. */
    skip: (question: Question): void => setSkipped((all) => new Set([...all, idOf(question)])),
    /** Asks the skipped questions again. */
    showSkipped: (): void => setSkipped(new Set()),
    /** Asks this question now. */
    back: (question: Question): void => {
      setDone((all) => new Map([...all].filter(([id]) => id !== idOf(question))));
      setFront(question);
      refresh();
    },
    /** Allows this question to be asked again when the service lists it. */
    again: (question: Question): void => {
      hide(question, answer);
      refresh();
    },
  };
};

export type Questions = ReturnType<typeof useQuestions>;
