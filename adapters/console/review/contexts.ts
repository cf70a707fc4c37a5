import { useEffect, useRef } from 'preact/hooks';
import type { Interval, Question, TranscriptUtterance, VideoRecord } from '../../client/index.js';
import type { Session } from '../session.js';
import { speakerName } from '../video/lanes.js';
import { sightingsOf } from '../video/sightings.js';
import { type Questions, idOf } from './use-questions.js';

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

const contextOf = async ({ client }: Session, question: Question, signal: AbortSignal): Promise<Context> => {
  const { video_id, audio_id, speaker_id, candidates } = question;
  const asking = { signal };
  const evidenceOf = async (turns: ReadonlyArray<Interval>) =>
    new Map(
      await Promise.all(
        candidates.map(async ({ face_id }) => {
          const [face] = await client.videos.tracks(video_id, { face_id }, asking).toArray(1);
          return [face_id, sightingsOf(face?.tracks ?? [], turns)] as const;
        }),
      ),
    );
  const video = await client.videos.get(video_id, {}, asking);
  if (audio_id === null) {
    const speaker = speakerName(speaker_id, null);
    return { question, video, speaker, utterances: [], turn: null, sightings: await evidenceOf([]) };
  }
  const [audio, turns] = await Promise.all([
    client.audios.get(audio_id, {}, asking),
    client.audios.segments(audio_id, { speaker_id, limit: maxTurns }, asking).toArray(maxTurns),
  ]);
  const [utterances, sightings] = await Promise.all([
    audio.transcript_available
      ? client.audios.transcript(audio_id, { speaker_id, limit: maxUtterances }, asking).toArray(maxUtterances)
      : [],
    evidenceOf(turns),
  ]);
  const name = audio.speakers.find((one) => one.speaker_id === speaker_id)?.name;
  return { question, video, speaker: speakerName(speaker_id, name), utterances, turn: turns[0] ?? null, sightings };
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
export const useContexts = (session: Session, { queue, isAway }: Pick<Questions, 'queue' | 'isAway'>): Contexts => {
  const kept = useRef(new Map<string, Context>());
  const fetch: Contexts['fetch'] = async (question, signal) => {
    const context = await contextOf(session, question, signal);
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
