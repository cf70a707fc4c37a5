import type { Call, CallOptions, MediaAnalysis, Question, RevertedChange } from '../../client/index.js';
import { percent } from '../format.js';
import { faceName as nameOfFace } from '../video/lanes.js';

type Verdict = 'confirmed' | 'rejected';

/** One possible answer to a question, chosen with a key or a button. */
export interface Choice {
  readonly key: string;
  /** Identifies the answer, also when the question comes back with other keys for its answers. */
  readonly id: string;
  readonly text: string;
  readonly aside?: string;
  /** The record that the answer changes, and whose revision is sent as `ifMatch`. */
  readonly record: 'video' | 'audio';
  readonly write: (client: MediaAnalysis, options: CallOptions) => Call<unknown>;
  /** Reverts the change with this position. */
  readonly undo: (client: MediaAnalysis, position: string) => Call<RevertedChange>;
  /** What the answer decides, or which name it gives: the same from somebody else is no conflict. */
  readonly decision?: { readonly face_id: number | null; readonly verdict: Verdict };
  readonly named?: string;
  /** The answer need not be among those that the question offers. */
  readonly isFree?: boolean;
  /** The answer only excludes a candidate: the question comes back without that candidate. */
  readonly asksAgain?: boolean;
}

type Effect = Pick<Choice, 'record' | 'write' | 'undo' | 'decision' | 'named'>;

const on = (record: 'video' | 'audio', id: string, write: Choice['write']): Effect => ({
  record,
  write,
  undo: (client, position) => (record === 'video' ? client.videos : client.audios).revert(id, position),
});

const decided = ({ video_id, speaker_id }: Question, face_id: number | null, verdict: Verdict): Effect => ({
  ...on('video', video_id, (client, options) =>
    client.decisions.create(video_id, { decisions: [{ speaker_id, face_id, verdict }] }, options),
  ),
  decision: { face_id, verdict },
});

/** A face that the question does not offer. */
export const otherFace = (question: Question, face_id: number, text: string): Choice => ({
  key: '',
  id: `face ${face_id}`,
  text,
  ...decided(question, face_id, 'confirmed'),
  isFree: true,
});

/** Gives the speaker a name, and the face too if the question is about one. */
const naming = ({ video_id, audio_id, speaker_id, candidates: [face] }: Question, name: string): Effect => ({
  ...(face === undefined && audio_id !== null
    ? on('audio', audio_id, (client, options) => client.speakers.rename(audio_id, [{ speaker_id, name }], options))
    : on('video', video_id, (client, options) =>
        client.matches.commit(
          video_id,
          { mappings: face === undefined ? [] : [{ face_id: face.face_id, speaker_id, name }] },
          options,
        ),
      )),
  named: name,
});

/** A name that the question does not offer. */
export const otherName = (question: Question, name: string): Choice => ({
  key: '',
  id: `name ${name}`,
  text: name,
  ...naming(question, name),
  isFree: true,
});

const linkChoices = (question: Question, faceName: (face_id: number) => string): ReadonlyArray<Choice> => {
  const { candidates, nobody } = question;
  const faces = candidates.map(({ face_id, accuracy }, at) => ({
    key: String(at + 1),
    id: `face ${face_id}`,
    text: faceName(face_id),
    aside: percent(accuracy),
    ...decided(question, face_id, 'confirmed'),
  }));
  const notSeen = {
    key: 'n',
    id: 'nobody',
    text: 'Off screen',
    aside: percent(nobody),
    ...decided(question, null, 'confirmed'),
  };
  const [first] = candidates;
  if (first === undefined) return [...faces, notSeen];
  const notFirst = {
    key: 'x',
    id: `not ${first.face_id}`,
    text: `Not ${faceName(first.face_id)}`,
    ...decided(question, first.face_id, 'rejected'),
    asksAgain: true,
  };
  return [...faces, notSeen, notFirst];
};

/** An inferred name is given to the speaker; a name from a caption is given to speaker and face. */
const nameChoices = (question: Question, faceName: (face_id: number) => string): ReadonlyArray<Choice> => {
  const { audio_id, speaker_id, candidates, names = [] } = question;
  const [face] = candidates;
  if (audio_id === null) return [];
  const given = names.map(({ name, source }, at): Choice => ({
    key: String(at + 1),
    id: `name ${name}`,
    text: name,
    aside: source === 'caption' ? 'from a caption' : 'from the transcript',
    ...naming(question, name),
  }));
  // A label that a person gives is a name that is settled, so the inferred name is not asked about again.
  if (face === undefined)
    return [
      ...given,
      { key: 'x', id: 'not the name', text: 'Not this name', ...naming(question, `Speaker ${speaker_id}`) },
    ];
  return [
    ...given,
    { key: 'k', id: 'keep', text: 'Keep name and face', ...decided(question, face.face_id, 'confirmed') },
    {
      key: 'x',
      id: `not ${face.face_id}`,
      text: `Not ${faceName(face.face_id)}`,
      ...decided(question, face.face_id, 'rejected'),
    },
  ];
};

/** The possible answers to a question, in the order in which they are shown. */
export const choicesOf = (
  question: Question,
  faceName: (face_id: number) => string = (id) => nameOfFace(id, null),
): ReadonlyArray<Choice> =>
  question.kind === 'link' ? linkChoices(question, faceName) : nameChoices(question, faceName);
