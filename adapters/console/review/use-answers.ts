import { useEffect, useRef, useState } from 'preact/hooks';
import { RevisionChangedError, type CallOptions, type MediaAnalysis, type Question } from '../../client/index.js';
import { messageOf } from '../format.js';
import { listOf, type Fields } from '../json.js';
import { answersKey, type Session, useSignedIn } from '../session.js';
import { changedSince } from '../video/history.js';
import { faceName, speakerName } from '../video/lanes.js';
import { isAway } from '../words.js';
import { choicesOf, otherFace, otherName, type Choice } from './choices.js';
import { isSameQuestion, type Questions } from './use-questions.js';

/** An answer to a question. */
interface Answer {
  readonly asked: Question;
  readonly choice: Choice;
  /** The idempotency key with which it is sent, each time: it is stored once. */
  readonly key: string;
}

/** An answer, and the position of its event once it is stored. */
interface Given extends Answer {
  readonly position: Promise<string | null>;
}

/** Stores an answer and returns the position of its event; null if somebody else has given the same answer. */
type Store = (answer: Answer) => Promise<string | null>;

/** An answer that was given in this tab. */
interface Kept extends Given {
  readonly account_id: string;
  /** The client that sends it. */
  readonly client: MediaAnalysis;
  /** The position of its event, for an undo; null until it is stored. */
  readonly stored: string | null;
}

/*
 * Answers stay when the page is left, and when it is loaded again: those that are not stored yet are sent, and the others
 * can be undone. What the tab keeps for that contains no names of people, except names that are not stored yet.
 */
let all: ReadonlyArray<Kept> = [];

const maxKept = 200;

const written = ({ account_id, asked, choice, key, stored }: Kept) => {
  const { kind, video_id, audio_id, speaker_id, candidates } = asked;
  const faces = candidates.map(({ face_id }) => ({ face_id }));
  const id = stored !== null && choice.named !== undefined ? 'name' : choice.id;
  return { account_id, kind, video_id, audio_id, speaker_id, faces, id, key, stored };
};

/** The question and the answer of which this was written; null if it is of another version of this page. */
const read = ({ kind, video_id, audio_id, speaker_id, faces, id, key }: Fields): Answer | null => {
  if (kind !== 'link' && kind !== 'name') return null;
  if (typeof video_id !== 'string' || typeof speaker_id !== 'number') return null;
  if (typeof id !== 'string' || typeof key !== 'string') return null;
  const asked: Question = {
    kind,
    video_id,
    audio_id: typeof audio_id === 'string' ? audio_id : null,
    speaker_id,
    candidates: listOf(faces).map(({ face_id }) => ({ face_id: Number(face_id), accuracy: 0 })),
    nobody: 0,
    gain: 0,
    evidence: {},
  };
  const [what = ''] = id.split(' ', 1);
  const rest = id.slice(what.length + 1);
  const offered = choicesOf(asked).find((one) => one.id === id);
  if (offered !== undefined) return { asked, choice: offered, key };
  if (what === 'face') return { asked, choice: otherFace(asked, Number(rest), faceName(Number(rest), null)), key };
  return what === 'name' ? { asked, choice: otherName(asked, rest), key } : null;
};

const readAll = (): ReadonlyArray<Fields> => {
  const kept: unknown = JSON.parse(sessionStorage.getItem(answersKey) ?? '[]');
  return listOf(kept);
};

/** Lets the browser ask for confirmation before the tab is closed. */
const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

const keep = (next: ReadonlyArray<Kept>): void => {
  all = next.filter(({ stored }, at) => stored === null || at >= next.length - maxKept);
  sessionStorage.setItem(answersKey, JSON.stringify(all.map(written)));
  if (all.some(({ stored }) => stored === null)) addEventListener('beforeunload', confirmLeaving);
  else removeEventListener('beforeunload', confirmLeaving);
};

/** Notes that an answer is stored. */
const settle = ({ key }: Answer, position: string): void =>
  keep(all.map((one) => (one.key === key ? { ...one, stored: position } : one)));

/** Removes an answer, because it was undone, or will not be stored. */
const release = ({ key }: Answer): void => keep(all.filter((one) => one.key !== key));

/** Sends an answer, and keeps it until it is released. */
const hold = ({ account_id, client }: Session, answer: Answer, store: Store): Given => {
  // One's own answers about a video do not conflict if they come one after the other.
  const before = all.findLast((one) => one.client === client && one.asked.video_id === answer.asked.video_id);
  const send = (): Promise<string | null> => store(answer);
  const position = before === undefined ? send() : before.position.then(send, send);
  const given = { ...answer, position };
  keep([...all, { account_id, client, ...given, stored: null }]);
  return given;
};

/** The answers that were given before the page was left or loaded again; those that nobody sends any more are sent. */
const resumed = (session: Session, store: Store): ReadonlyArray<Given & Pick<Kept, 'stored'>> => {
  const { account_id, client } = session;
  const kept = readAll().filter((one) => one['account_id'] === account_id);
  const sent = all.filter((one) => one.client === client && kept.some(({ key }) => key === one.key));
  const others = kept.filter((one) => !sent.some(({ key }) => key === one['key']));
  all = sent;
  for (const one of others) {
    const [answer, stored] = [read(one), one['stored']];
    if (answer === null) continue;
    if (typeof stored === 'string')
      keep([...all, { account_id, client, ...answer, position: Promise.resolve(stored), stored }]);
    else hold(session, answer, store);
  }
  return all;
};

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

const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/** The question without its context, to remind a reviewer who has seen others since. */
const summaryOf = ({ kind, speaker_id }: Question): string =>
  kind === 'link' ? `Who is Speaker ${speaker_id}?` : `The name of Speaker ${speaker_id}:`;

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

/** Stores an answer whatever others decided, or only at a revision. Returns the position of the event. */
const writeAnswer = async (client: MediaAnalysis, { choice, key }: Answer, at: CallOptions): Promise<string | null> =>
  (await choice.write(client, { idempotencyKey: key, ...at }).withResponse()).response.position;

/**
 * Stores an answer if its question is still open, so that nobody's decision is overwritten unseen. Returns the position
 * of the event, or null if the same answer stands already; throws `AnswerConflict` if the question was decided otherwise.
 */
const storeAnswer = async (client: MediaAnalysis, answer: Answer): Promise<string | null> => {
  const { asked, choice } = answer;
  for (let attempt = 0, isOpen = true; attempt < maxAttempts && isOpen; attempt += 1) {
    const checked = await checkQuestion(client, asked, choice);
    isOpen = checked.isOpen;
    try {
      // If the question is not open, this only asks whether the answer was stored when the connection broke.
      return await writeAnswer(client, answer, { ifMatch: isOpen ? (checked.revision ?? 0) : 0 });
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
  about: `${summaryOf(given.asked)} “${given.choice.text}”.`,
  decisions,
});

/** The answers given on this page, and the conflicts with answers of others. */
export const useAnswers = ({ setError, next, back, again }: Questions) => {
  const session = useSignedIn();
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
  const add = (own: Given): void => {
    given.current.push(own);
    setCount((n) => n + 1);
  };
  const track = (own: Given): void => {
    const { asked, choice, position } = own;
    add(own);
    setPending((n) => n + 1);
    setError('');
    position.catch(() => undefined).finally(() => setPending((n) => n - 1));
    position.then(
      (at) => {
        if (at === null) release(own);
        else settle(own, at);
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
  const store = (answer: Answer) => untilAnswered(() => storeAnswer(client, answer), setWaiting);
  const answer = (asked: Question, choice: Choice): void => {
    next(asked);
    track(hold(session, { asked, choice, key: randomKey() }, store));
  };
  const insist = (conflict: Conflict): void => {
    dismiss(conflict);
    next(conflict.given.asked);
    track(hold(session, conflict.given, (own) => untilAnswered(() => writeAnswer(client, own, {}), setWaiting)));
  };
  const undo = async (): Promise<void> => {
    const last = given.current.pop();
    if (last === undefined) return setError('There is nothing to undo.');
    const position = await last.position;
    if (position === null) {
      setCount((n) => n - 1);
      return setError('Somebody else has given the same answer, so it stays.');
    }
    try {
      const undone = await untilAnswered(async () => last.choice.undo(client, position), setWaiting);
      release(last);
      setCount((n) => n - 1);
      setError(changedSince(undone));
      back(last.asked);
      // After a reload the question is known only in outline.
      again(last.asked);
    } catch (reason) {
      given.current.push(last);
      throw reason;
    }
  };
  useEffect(() => {
    for (const own of resumed(session, store)) {
      if (own.stored === null) next(own.asked);
      (own.stored === null ? track : add)(own);
    }
  }, [client]);
  return { count, pending, isWaiting, conflicts, answer, insist, dismiss, undo };
};

export type Answers = ReturnType<typeof useAnswers>;
