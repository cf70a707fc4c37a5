import { useEffect, useState } from 'preact/hooks';
import { RevisionChangedError, type CallOptions, type MediaAnalysis, type Question } from '../../client/index.js';
import { messageOf } from '../format.js';
import { isFields, listOf } from '../json.js';
import { answersKey, useSignedIn } from '../session.js';
import { changedSince } from '../video/history.js';
import { faceName, speakerName } from '../video/lanes.js';
import { isAway } from '../words.js';
import { asksAgain, type Effect, isOffered, revisionOf, undo, write } from './choices.js';
import { isSameQuestion, type Questions } from './use-questions.js';

/** An answer that was given in this tab. */
export interface Answer {
  readonly account_id: string;
  readonly asked: Question;
  readonly effect: Effect;
  /** The idempotency key with which it is sent, each time: it is stored once. */
  readonly key: string;
  /** The position of its event; null until it is stored; empty if somebody else has given the same answer. */
  readonly stored: string | null;
  /** The decisions that stand instead, in words, if somebody else decided otherwise before it arrived. */
  readonly conflict: ReadonlyArray<string> | null;
  readonly isBeingUndone: boolean;
}

/*
 * Answers stay when the page is left, and when it is loaded again: those that are not stored yet are sent, and the others
 * can be undone. What the tab keeps for that contains no names of people, except names that are not stored yet.
 */
let all: ReadonlyArray<Answer> = [];

/** The page that shows the answers, while it is open. */
interface OpenPage extends Pick<Questions, 'setError' | 'back' | 'again'> {
  readonly render: () => void;
  readonly setWaiting: (isWaiting: boolean) => void;
}

let page: OpenPage | null = null;

const maxKept = 200;

/** An answer as the tab keeps it. */
const kept = ({ asked: { names: _names, ...asked }, effect, ...answer }: Answer): Answer => ({
  ...answer,
  asked: { ...asked, evidence: {} },
  effect: answer.stored !== null && 'named' in effect ? { named: '' } : effect,
  conflict: null,
  isBeingUndone: false,
});

/** Whether this is an answer that was kept; one of another version of this page is not. */
const isAnswer = (value: unknown): value is Answer =>
  isFields(value) && typeof value['key'] === 'string' && isFields(value['asked']) && isFields(value['effect']);

/** Lets the browser ask for confirmation before the tab is closed. */
const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

const keep = (next: ReadonlyArray<Answer>): void => {
  all = next.filter(({ stored }, at) => stored === null || at >= next.length - maxKept);
  sessionStorage.setItem(answersKey, JSON.stringify(all.map(kept)));
  if (all.some(({ stored }) => stored === null)) addEventListener('beforeunload', confirmLeaving);
  else removeEventListener('beforeunload', confirmLeaving);
  page?.render();
};

const change = ({ key }: Answer, changed: Partial<Answer>): void =>
  keep(all.map((one) => (one.key === key ? { ...one, ...changed } : one)));

const remove = ({ key }: Answer): void => keep(all.filter((one) => one.key !== key));

/** Takes up what the tab has kept: answers that were given before it was loaded again, unless they were removed since. */
const resume = (): void => {
  const stored: unknown = JSON.parse(sessionStorage.getItem(answersKey) ?? '[]');
  const known = new Map(all.map((one) => [one.key, one]));
  keep(listOf(stored).flatMap((one) => (isAnswer(one) ? (known.get(one.key) ?? one) : [])));
};

/** Thrown when the question of an answer has been decided otherwise. */
class AnswerConflict extends Error {
  override readonly name = 'AnswerConflict';
  readonly decisions: ReadonlyArray<string>;
  constructor(decisions: ReadonlyArray<string>) {
    super(decisions.join(' '));
    this.decisions = decisions;
  }
}

const maxAttempts = 5;
const retryMs = 1_500;

/** Makes a request until the service answers, whatever the answer is. */
const untilAnswered = async <Result>(request: () => Promise<Result>): Promise<Result> => {
  for (;;)
    try {
      const result = await request();
      page?.setWaiting(false);
      return result;
    } catch (reason) {
      page?.setWaiting(isAway(reason));
      if (!isAway(reason)) throw reason;
      await new Promise((again) => setTimeout(again, retryMs));
    }
};

/** Whether a question is still asked, and still offers an answer that it offered. */
const isOpen = async (client: MediaAnalysis, asked: Question, effect: Effect): Promise<boolean> => {
  const isFree = !isOffered(asked, effect);
  for await (const question of client.review.list({ video_id: asked.video_id }))
    if (isSameQuestion(asked, question)) return isFree || isOffered(question, effect);
  return false;
};

/** What stands now about the speaker and the faces that were offered, in words, and whether it is what the answer says. */
const stands = async (
  client: MediaAnalysis,
  { video_id, audio_id, speaker_id, candidates }: Question,
  effect: Effect,
) => {
  const [{ faces }, audio, { decisions }] = await Promise.all([
    client.videos.get(video_id),
    audio_id === null ? null : client.audios.get(audio_id),
    client.decisions.list(video_id),
  ]);
  const nameOf = (id: number) => audio?.speakers.find((speaker) => speaker.speaker_id === id)?.name;
  const faceOf = (id: number): string => faceName(id, faces.find((face) => face.id === id)?.name ?? null);
  const isSame =
    'named' in effect
      ? nameOf(speaker_id) === effect.named
      : decisions.some(
          (one) => one.speaker_id === speaker_id && one.face_id === effect.face_id && one.verdict === effect.verdict,
        );
  const inWords = decisions
    .filter((one) => one.speaker_id === speaker_id || candidates.some(({ face_id }) => face_id === one.face_id))
    .map(({ speaker_id: speaker, face_id, verdict, by }) => {
      const is = verdict === 'confirmed' ? 'is' : 'is not';
      const who = speakerName(speaker, nameOf(speaker));
      return `${by} decided: ${who} ${face_id === null ? 'is off screen' : `${is} ${faceOf(face_id)}`}.`;
    });
  return { isSame, inWords };
};

/** Stores an answer whatever others decided, or only at a revision. Returns the position of the event. */
const writeAnswer = async (
  client: MediaAnalysis,
  { asked, effect, key }: Answer,
  at: CallOptions,
): Promise<string | null> =>
  (await write(client, asked, effect, { idempotencyKey: key, ...at }).withResponse()).response.position;

/**
 * Stores an answer if its question is still open, so that nobody's decision is overwritten unseen. Returns the position
 * of the event, or null if the same answer stands already; throws `AnswerConflict` if the question was decided otherwise.
 */
const storeAnswer = async (client: MediaAnalysis, answer: Answer): Promise<string | null> => {
  const { asked, effect } = answer;
  for (let attempt = 0, open = true; attempt < maxAttempts && open; attempt += 1) {
    const revision = await revisionOf(client, asked, effect);
    open = await isOpen(client, asked, effect);
    try {
      // If the question is not open, this only asks whether the answer was stored when the connection broke.
      return await writeAnswer(client, answer, { ifMatch: open ? (revision ?? 0) : 0 });
    } catch (reason) {
      // The change may be about something else in the record, so the question is checked again.
      if (!(reason instanceof RevisionChangedError)) throw reason;
    }
  }
  const { isSame, inWords } = await stands(client, asked, effect);
  if (isSame) return null;
  throw new AnswerConflict(inWords);
};

type Store = (client: MediaAnalysis, answer: Answer) => Promise<string | null>;

/** Stores an answer, and notes what became of it. */
const deliver = async (client: MediaAnalysis, answer: Answer, store: Store): Promise<void> => {
  const { asked, effect } = answer;
  try {
    const position = await untilAnswered(() => store(client, answer));
    change(answer, { stored: position ?? '' });
    if (asksAgain(asked, effect)) page?.again(asked);
  } catch (reason) {
    if (reason instanceof AnswerConflict) {
      change(answer, { conflict: reason.decisions });
      page?.again(asked);
    } else {
      remove(answer);
      page?.setError(`Not stored: ${messageOf(reason)}`);
      page?.back(asked);
    }
  }
};

/** The answers that are being sent, by their keys, and the last one of each video. */
const sending = new Map<string, Promise<void>>();
const lastOf = new Map<string, Promise<void>>();

/** Sends an answer. One's own answers about a video do not conflict if they come one after the other. */
const send = (client: MediaAnalysis, answer: Answer, store: Store): void => {
  const { video_id } = answer.asked;
  const sent = (lastOf.get(video_id) ?? Promise.resolve())
    .then(() => deliver(client, answer, store))
    .finally(() => sending.delete(answer.key));
  sending.set(answer.key, sent);
  lastOf.set(video_id, sent);
};

const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The answers given on this page, and the conflicts with answers of others. */
export const useAnswers = ({ setError, next, back, again }: Questions) => {
  const { client, account_id } = useSignedIn();
  const [, setRound] = useState(0);
  const [isWaiting, setWaiting] = useState(false);
  page = { setError, back, again, setWaiting, render: () => setRound((n) => n + 1) };
  const own = all.filter((one) => one.account_id === account_id);
  const given = own.filter(({ conflict }) => conflict === null);
  const answer = (asked: Question, effect: Effect): void => {
    const state = { stored: null, conflict: null, isBeingUndone: false };
    const added: Answer = { account_id, asked, effect, key: randomKey(), ...state };
    setError('');
    next(asked);
    keep([...all, added]);
    send(client, added, storeAnswer);
  };
  const insist = (conflicting: Answer): void => {
    change(conflicting, { conflict: null });
    next(conflicting.asked);
    send(client, conflicting, (_, one) => writeAnswer(client, one, {}));
  };
  const undoLast = async (): Promise<void> => {
    const last = given.findLast(({ isBeingUndone }) => !isBeingUndone);
    if (last === undefined) return setError('There is nothing to undo.');
    change(last, { isBeingUndone: true });
    await sending.get(last.key);
    const position = all.find(({ key }) => key === last.key)?.stored ?? null;
    if (position === null) return change(last, { isBeingUndone: false });
    if (position === '') {
      remove(last);
      return setError('Somebody else has given the same answer, so it stays.');
    }
    try {
      const undone = await untilAnswered(async () => undo(client, last.asked, last.effect, position));
      remove(last);
      setError(changedSince(undone));
      back(last.asked);
    } catch (reason) {
      change(last, { isBeingUndone: false });
      throw reason;
    }
  };
  useEffect(() => {
    resume();
    for (const one of all) {
      if (one.account_id !== account_id || one.stored !== null || one.conflict !== null) continue;
      next(one.asked);
      if (!sending.has(one.key)) send(client, one, storeAnswer);
    }
    return () => (page = null);
  }, [client]);
  return {
    count: given.length,
    pending: given.filter(({ stored }) => stored === null).length,
    isWaiting,
    conflicts: own.filter(({ conflict }) => conflict !== null),
    answer,
    insist,
    dismiss: remove,
    undoLast,
  };
};

export type Answers = ReturnType<typeof useAnswers>;
