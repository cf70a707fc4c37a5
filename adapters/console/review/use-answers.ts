import { useEffect, useRef, useState } from 'preact/hooks';
import { type CallOptions, type MediaAnalysis, type Question, RevisionChangedError } from '../../client/index.js';
import { messageOf } from '../format.js';
import type { Session } from '../session.js';
import { changedSince } from '../video/history.js';
import { faceName, speakerName } from '../video/lanes.js';
import { isAway } from '../words.js';
import { type Choice, choicesOf } from './choices.js';
import { type Questions, isSameQuestion } from './use-questions.js';
import { type Given, hold, release, resumed } from './waiting-answers.js';

/** An answer that was not stored, because somebody else decided otherwise before it arrived. */
export interface Conflict {
  readonly given: Given;
  /** The question and the answer, in words. */
  readonly about: string;
  /** The decisions that stand now, in words. */
  readonly decisions: ReadonlyArray<string>;
}

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
const untilAnswered = async <Answer>(
  request: () => Promise<Answer>,
  onAway: (isAway: boolean) => void,
): Promise<Answer> => {
  for (;;)
    try {
      const answer = await request();
      onAway(false);
      return answer;
    } catch (reason) {
      onAway(isAway(reason));
      if (!isAway(reason)) throw reason;
      await new Promise((resume) => setTimeout(resume, retryMs));
    }
};

/** The question without its context, to remind a reviewer who has seen others since. */
const summaryOf = ({ kind, speaker_id }: Question): string =>
  kind === 'link' ? `Who is Speaker ${speaker_id}?` : `The name of Speaker ${speaker_id}`;

/** The current revision of the record that the answer changes, and whether the question is open and still offers the answer. */
const checkQuestion = async (client: MediaAnalysis, asked: Question, { id, record, isFree = false }: Choice) => {
  const { video_id, audio_id } = asked;
  const read = record === 'audio' && audio_id !== null ? client.audios.get(audio_id) : client.videos.get(video_id);
  const { response } = await read.withResponse();
  let isOpen = false;
  for await (const question of client.review.list({ video_id }))
    if (isSameQuestion(asked, question)) isOpen = isFree || choicesOf(question).some((one) => one.id === id);
  return { revision: response.revision, isOpen };
};

/** What stands now about the speaker and the faces that were offered, in words, and whether it is what the answer says. */
const stands = async (
  client: MediaAnalysis,
  { video_id, audio_id, speaker_id, candidates }: Question,
  { decision, named }: Choice,
) => {
  const [{ faces }, audio, { decisions }] = await Promise.all([
    client.videos.get(video_id),
    audio_id === null ? null : client.audios.get(audio_id),
    client.decisions.list(video_id),
  ]);
  const nameOf = (id: number) => audio?.speakers.find((speaker) => speaker.speaker_id === id)?.name;
  const faceOf = (id: number): string => faceName(id, faces.find((face) => face.id === id)?.name ?? null);
  const isSame =
    decision === undefined
      ? named !== undefined && nameOf(speaker_id) === named
      : decisions.some(
          (one) =>
            one.speaker_id === speaker_id && one.face_id === decision.face_id && one.verdict === decision.verdict,
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

/** Stores an answer whatever others decided. Returns the position of the event. */
const writeAnswer = async (client: MediaAnalysis, choice: Choice, options: CallOptions = {}): Promise<string | null> =>
  (await choice.write(client, options).withResponse()).response.position;

/**
 * Stores an answer if its question is still open, so that nobody's decision is overwritten unseen. Returns the position
 * of the event, or null if the same answer stands already; throws `AnswerConflict` if the question was decided otherwise.
 */
const storeAnswer = async (client: MediaAnalysis, asked: Question, choice: Choice): Promise<string | null> => {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const { revision, isOpen } = await checkQuestion(client, asked, choice);
    if (!isOpen) break;
    try {
      return await writeAnswer(client, choice, revision === null ? {} : { ifMatch: revision });
    } catch (reason) {
      // The change may be about something else in the record, so the question is checked again.
      if (!(reason instanceof RevisionChangedError)) throw reason;
    }
  }
  const { isSame, inWords } = await stands(client, asked, choice);
  if (isSame) return null;
  throw new AnswerConflict(inWords);
};

const conflictOf = (given: Given, { decisions }: AnswerConflict): Conflict => ({
  given,
  about: `${summaryOf(given.asked)}: “${given.choice.text}”.`,
  decisions,
});

/** The answers given on this page, and the conflicts with answers of others. */
export const useAnswers = (session: Session, { setError, next, back, again }: Questions) => {
  const { client } = session;
  const given = useRef<Given[]>([]);
  const [count, setCount] = useState(0);
  const [pending, setPending] = useState(0);
  const [isWaiting, setWaiting] = useState(false);
  const [conflicts, setConflicts] = useState<ReadonlyArray<Conflict>>([]);
  const dismiss = (conflict: Conflict): void => {
    release(conflict.given);
    setConflicts((all) => all.filter((one) => one !== conflict));
  };
  const track = (own: Given): void => {
    const { asked, choice, position } = own;
    given.current.push(own);
    setCount((n) => n + 1);
    setPending((n) => n + 1);
    setError('');
    position.catch(() => undefined).finally(() => setPending((n) => n - 1));
    position.then(
      () => {
        release(own);
        if (choice.asksAgain === true) again(asked);
      },
      (reason: unknown) => {
        given.current = given.current.filter((one) => one !== own);
        setCount((n) => n - 1);
        if (reason instanceof AnswerConflict) {
          setConflicts((all) => [...all, conflictOf(own, reason)]);
          return again(asked);
        }
        release(own);
        setError(`Not stored: ${messageOf(reason)}`);
        back(asked);
      },
    );
  };
  const store = (asked: Question, choice: Choice) =>
    untilAnswered(() => storeAnswer(client, asked, choice), setWaiting);
  const answer = (asked: Question, choice: Choice): void => {
    next(asked);
    track(hold(session, asked, choice, () => store(asked, choice)));
  };
  const insist = (conflict: Conflict): void => {
    const { asked, choice } = conflict.given;
    dismiss(conflict);
    next(asked);
    track(hold(session, asked, choice, () => untilAnswered(() => writeAnswer(client, choice), setWaiting)));
  };
  const undo = async (): Promise<void> => {
    const last = given.current.pop();
    if (last === undefined) return setError('There is nothing to undo.');
    const position = await last.position;
    setCount((n) => n - 1);
    if (position === null) return setError('Somebody else has given the same answer, so it stays.');
    const undone = await last.choice.undo(client, position);
    setError(changedSince(undone));
    back(last.asked);
  };
  useEffect(() => {
    for (const own of resumed(session, store)) {
      next(own.asked);
      track(own);
    }
  }, [client]);
  return { count, pending, isWaiting, conflicts, answer, insist, dismiss, undo };
};
