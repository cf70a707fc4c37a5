import type { MediaAnalysis, Question } from '../../client/index.js';
import { type Fields, listOf } from '../json.js';
import { type Session, answersKey } from '../session.js';
import { faceName } from '../video/lanes.js';
import { type Choice, choicesOf, otherFace, otherName } from './choices.js';

/** An answer, and the position of its event once it is stored. */
export interface Given {
  readonly asked: Question;
  readonly choice: Choice;
  readonly position: Promise<string | null>;
}

/** An answer that is not stored yet. */
interface Waiting extends Given {
  readonly account_id: string;
  /** The client that sends it. */
  readonly client: MediaAnalysis;
}

/*
 * Answers that are not stored yet stay when the page is left, and when it is loaded again. What is kept in the tab for that
 * has no name of a person, unless the answer is a name.
 */
let waiting: ReadonlyArray<Waiting> = [];

const written = ({ account_id, asked: { kind, video_id, audio_id, speaker_id, candidates }, choice }: Waiting) => {
  const faces = candidates.map(({ face_id }) => ({ face_id }));
  return { account_id, kind, video_id, audio_id, speaker_id, faces, id: choice.id };
};

/** The question and the answer of which this was written; null if it is of another version of this page. */
const read = ({ kind, video_id, audio_id, speaker_id, faces, id }: Fields): Omit<Given, 'position'> | null => {
  if (kind !== 'link' && kind !== 'name') return null;
  if (typeof video_id !== 'string' || typeof speaker_id !== 'number' || typeof id !== 'string') return null;
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
  if (offered !== undefined) return { asked, choice: offered };
  if (what === 'face') return { asked, choice: otherFace(asked, Number(rest), faceName(Number(rest), null)) };
  return what === 'name' ? { asked, choice: otherName(asked, rest) } : null;
};

const readAll = (): ReadonlyArray<Fields> => {
  const kept: unknown = JSON.parse(sessionStorage.getItem(answersKey) ?? '[]');
  return listOf(kept);
};

/** Lets the browser ask for confirmation before the tab is closed. */
const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

const keep = (next: ReadonlyArray<Waiting>): void => {
  waiting = next;
  if (next.length === 0) {
    sessionStorage.removeItem(answersKey);
    return removeEventListener('beforeunload', confirmLeaving);
  }
  sessionStorage.setItem(answersKey, JSON.stringify(next.map(written)));
  addEventListener('beforeunload', confirmLeaving);
};

/** Removes an answer, because it was stored or will not be. */
export const release = (given: Given): void => {
  if (waiting.some((one) => one === given)) keep(waiting.filter((one) => one !== given));
};

/** Sends an answer, and keeps it until it is released. Answers about one video are sent one after the other. */
export const hold = (
  { account_id, client }: Session,
  asked: Question,
  choice: Choice,
  store: () => Promise<string | null>,
): Given => {
  // One's own answers about a video do not conflict if they come one after the other.
  const before = waiting.findLast((one) => one.client === client && one.asked.video_id === asked.video_id);
  const position = before === undefined ? store() : before.position.then(store, store);
  const given = { account_id, client, asked, choice, position };
  keep([...waiting, given]);
  return given;
};

/** The answers that wait since the page was left or loaded again; those that nobody sends any more are sent. */
export const resumed = (
  session: Session,
  store: (asked: Question, choice: Choice) => Promise<string | null>,
): ReadonlyArray<Given> => {
  const kept = readAll();
  const sent = kept.length === 0 ? [] : waiting.filter(({ client }) => client === session.client);
  const ids = new Set(sent.map((one) => JSON.stringify(written(one))));
  const unsent = kept.filter((one) => one['account_id'] === session.account_id && !ids.has(JSON.stringify(one)));
  waiting = sent;
  return [
    ...sent,
    ...unsent.flatMap((one) => {
      const given = read(one);
      return given === null ? [] : [hold(session, given.asked, given.choice, () => store(given.asked, given.choice))];
    }),
  ];
};
