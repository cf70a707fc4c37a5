import type { Call, MediaAnalysis, Question } from '../../client/index.js';
import { percent } from '../format.js';

/** One way to answer a question: by a key, with what it says and how likely it is. */
export interface Choice {
  readonly key: string;
  readonly text: string;
  readonly aside?: string;
  readonly write: (client: MediaAnalysis) => Call<unknown>;
  /** It rules one answer out and settles nothing: the question comes back without it. */
  readonly asksAgain?: boolean;
}

type Verdict = 'confirmed' | 'rejected';

const decided =
  ({ video_id, speaker_id }: Question, face_id: number | null, verdict: Verdict): Choice['write'] =>
  (client) =>
    client.decisions.create(video_id, { decisions: [{ speaker_id, face_id, verdict }] });

const linkChoices = (question: Question, faceName: (face_id: number) => string): ReadonlyArray<Choice> => {
  const { candidates, nobody } = question;
  const faces = candidates.map(({ face_id, accuracy }, at) => ({
    key: String(at + 1),
    text: faceName(face_id),
    aside: percent(accuracy),
    write: decided(question, face_id, 'confirmed'),
  }));
  const notSeen = {
    key: 'n',
    text: 'Not to be seen',
    aside: percent(nobody),
    write: decided(question, null, 'confirmed'),
  };
  const [first] = candidates;
  const notFirst =
    first === undefined
      ? []
      : [
          {
            key: 'x',
            text: 'Not the first face',
            write: decided(question, first.face_id, 'rejected'),
            asksAgain: true,
          },
        ];
  return [...faces, notSeen, ...notFirst];
};

/** A name that was inferred is given to the speaker; one of a caption, to speaker and face. */
const nameChoices = (question: Question, faceName: (face_id: number) => string): ReadonlyArray<Choice> => {
  const { video_id, audio_id, speaker_id, candidates, names = [] } = question;
  const [face] = candidates;
  if (audio_id === null) return [];
  const given = names.map(({ name, source }, at): Choice => ({
    key: String(at + 1),
    text: name,
    aside: source === 'caption' ? 'the caption' : 'what was said',
    write: (client) =>
      face === undefined
        ? client.speakers.rename(audio_id, [{ speaker_id, name }])
        : client.matches.commit(video_id, { mappings: [{ face_id: face.face_id, speaker_id, name }] }),
  }));
  if (face === undefined) return given;
  return [
    ...given,
    { key: 'k', text: 'Keep the name and the face', write: decided(question, face.face_id, 'confirmed') },
    { key: 'x', text: `Not ${faceName(face.face_id)}`, write: decided(question, face.face_id, 'rejected') },
  ];
};

/** How a question can be answered, in the order in which it is shown. */
export const choicesOf = (question: Question, faceName: (face_id: number) => string = String): ReadonlyArray<Choice> =>
  question.kind === 'link' ? linkChoices(question, faceName) : nameChoices(question, faceName);
