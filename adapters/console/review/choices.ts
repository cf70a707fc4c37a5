import type { Call, MediaAnalysis, Question } from '../../client/index.js';
import { percent } from '../format.js';

/** One way to answer a question: by a key, with what it says and how likely it is. */
export interface Choice {
  readonly key: string;
  readonly text: string;
  readonly aside?: string;
  readonly write: (client: MediaAnalysis) => Call<unknown>;
  /** Takes back what was written, at its position. */
  readonly undo: (client: MediaAnalysis, position: string) => Call<unknown>;
  /** It rules one answer out and settles nothing: the question comes back without it. */
  readonly asksAgain?: boolean;
}

type Verdict = 'confirmed' | 'rejected';

type Effect = Pick<Choice, 'write' | 'undo'>;

const onVideo = (video_id: string, write: Choice['write']): Effect => ({
  write,
  undo: (client, position) => client.videos.revert(video_id, position),
});

const onAudio = (audio_id: string, write: Choice['write']): Effect => ({
  write,
  undo: (client, position) => client.audios.revert(audio_id, position),
});

const decided = ({ video_id, speaker_id }: Question, face_id: number | null, verdict: Verdict): Effect =>
  onVideo(video_id, (client) => client.decisions.create(video_id, { decisions: [{ speaker_id, face_id, verdict }] }));

const linkChoices = (question: Question, faceName: (face_id: number) => string): ReadonlyArray<Choice> => {
  const { candidates, nobody } = question;
  const faces = candidates.map(({ face_id, accuracy }, at) => ({
    key: String(at + 1),
    text: faceName(face_id),
    aside: percent(accuracy),
    ...decided(question, face_id, 'confirmed'),
  }));
  const notSeen = {
    key: 'n',
    text: 'Not to be seen',
    aside: percent(nobody),
    ...decided(question, null, 'confirmed'),
  };
  const [first] = candidates;
  const notFirst =
    first === undefined
      ? []
      : [
          {
            key: 'x',
            text: 'Not the first face',
            ...decided(question, first.face_id, 'rejected'),
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
    ...(face === undefined
      ? onAudio(audio_id, (client) => client.speakers.rename(audio_id, [{ speaker_id, name }]))
      : onVideo(video_id, (client) =>
          client.matches.commit(video_id, { mappings: [{ face_id: face.face_id, speaker_id, name }] }),
        )),
  }));
  if (face === undefined) return given;
  return [
    ...given,
    { key: 'k', text: 'Keep the name and the face', ...decided(question, face.face_id, 'confirmed') },
    { key: 'x', text: `Not ${faceName(face.face_id)}`, ...decided(question, face.face_id, 'rejected') },
  ];
};

/** How a question can be answered, in the order in which it is shown. */
export const choicesOf = (question: Question, faceName: (face_id: number) => string = String): ReadonlyArray<Choice> =>
  question.kind === 'link' ? linkChoices(question, faceName) : nameChoices(question, faceName);
