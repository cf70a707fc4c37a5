import type { MediaAnalysis, Question } from '../../client/index.js';
import { type Fields, listOf } from '../json.js';
import { type Session, answersKey } from '../session.js';
import { faceName } from '../video/lanes.js';
import { type Choice, choicesOf, otherFace, otherName } from './choices.js';

/** An answer to a question. */
export interface Answer {
  readonly asked: Question;
  readonly choice: Choice;
  /** The idempotency key with which it is sent, each time: it is stored once. */
  readonly key: string;
}

/** An answer, and the position of its event once it is stored. */
export interface Given extends Answer {
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
export const settle = ({ key }: Answer, position: string): void =>
  keep(all.map((one) => (one.key === key ? { ...one, stored: position } : one)));

/** Removes an answer, because it was undone, or will not be stored. */
export const release = ({ key }: Answer): void => keep(all.filter((one) => one.key !== key));

/** Sends an answer, and keeps it until it is released. */
export const hold = ({ account_id, client }: Session, answer: Answer, store: Store): Given => {
  // One's own answers about a video do not conflict if they come one after the other.
  const before = all.findLast((one) => one.client === client && one.asked.video_id === answer.asked.video_id);
  const send = (): Promise<string | null> => store(answer);
  const position = before === undefined ? send() : before.position.then(send, send);
  const given = { ...answer, position };
  keep([...all, { account_id, client, ...given, stored: null }]);
  return given;
};

/** The answers that were given before the page was left or loaded again; those that nobody sends any more are sent. */
export const resumed = (session: Session, store: Store): ReadonlyArray<Given & Pick<Kept, 'stored'>> => {
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
