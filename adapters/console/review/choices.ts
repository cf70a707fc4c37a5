import type { Call, CallOptions, MediaAnalysis, Question, RevertedChange } from '../../client/index.js';
import { percent } from '../format.js';
import { faceName as nameOfFace } from '../video/lanes.js';

/** What an answer does: it decides about a face (null: off screen), or gives a name. */
export type Effect =
  | { readonly face_id: number | null; readonly verdict: 'confirmed' | 'rejected' }
  | { readonly named: string };

/** One possible answer to a question, chosen with a key or a button. */
export interface Choice {
  readonly key: string;
  readonly text: string;
  readonly aside?: string;
  readonly effect: Effect;
}

type FaceName = (face_id: number) => string;

const label: FaceName = (id) => nameOfFace(id, null);

/** An answer in words. */
export const textOf = (effect: Effect, faceName = label): string => {
  if ('named' in effect) return effect.named;
  if (effect.face_id === null) return 'Off screen';
  return `${effect.verdict === 'rejected' ? 'Not ' : ''}${faceName(effect.face_id)}`;
};

const is = (face_id: number | null): Effect => ({ face_id, verdict: 'confirmed' });
const isNot = (face_id: number): Effect => ({ face_id, verdict: 'rejected' });

/** A choice, with a text where that is not what it does. */
type Offered = Omit<Choice, 'text'> & { readonly text?: string };

const linkChoices = ({ candidates, nobody }: Question): ReadonlyArray<Offered> => {
  const [first] = candidates;
  return [
    ...candidates.map(({ face_id, accuracy }, at) => ({
      key: String(at + 1),
      aside: percent(accuracy),
      effect: is(face_id),
    })),
    { key: 'n', aside: percent(nobody), effect: is(null) },
    ...(first === undefined ? [] : [{ key: 'x', effect: isNot(first.face_id) }]),
  ];
};

/** An inferred name is given to the speaker; a name from a caption is given to speaker and face. */
const nameChoices = ({ audio_id, speaker_id, candidates: [face], names = [] }: Question): ReadonlyArray<Offered> => {
  if (audio_id === null) return [];
  const given = names.map(({ name, source }, at) => ({
    key: String(at + 1),
    aside: source === 'caption' ? 'from a caption' : 'from the transcript',
    effect: { named: name },
  }));
  // A label that a person gives is a name that is settled, so the inferred name is not asked about again.
  if (face === undefined)
    return [...given, { key: 'x', text: 'Not this name', effect: { named: `Speaker ${speaker_id}` } }];
  return [
    ...given,
    { key: 'k', text: 'Keep name and face', effect: is(face.face_id) },
    { key: 'x', effect: isNot(face.face_id) },
  ];
};

/** The possible answers to a question, in the order in which they are shown. */
export const choicesOf = (question: Question, faceName = label): ReadonlyArray<Choice> =>
  (question.kind === 'link' ? linkChoices(question) : nameChoices(question)).map((choice) => ({
    ...choice,
    text: choice.text ?? textOf(choice.effect, faceName),
  }));

/** Whether a question offers an answer, which need not be: any other face or name can be given. */
export const isOffered = (question: Question, effect: Effect): boolean =>
  choicesOf(question).some((one) => JSON.stringify(one.effect) === JSON.stringify(effect));

/** Whether an answer only excludes a candidate: the question comes back without that candidate. */
export const asksAgain = ({ kind }: Question, effect: Effect): boolean =>
  kind === 'link' && 'verdict' in effect && effect.verdict === 'rejected';

/** The audio whose speaker an answer names; null if the answer changes the video. */
const audioOf = ({ audio_id, candidates }: Question, effect: Effect): string | null =>
  'named' in effect && candidates.length === 0 ? audio_id : null;

/** The present revision of the record that an answer changes. */
export const revisionOf = async (client: MediaAnalysis, asked: Question, effect: Effect): Promise<number | null> => {
  const audio_id = audioOf(asked, effect);
  const read = audio_id === null ? client.videos.get(asked.video_id) : client.audios.get(audio_id);
  return (await read.withResponse()).response.revision;
};

/** Stores an answer. A name is given to the speaker, and to the face too if the question is about one. */
export const write = (client: MediaAnalysis, asked: Question, effect: Effect, options: CallOptions): Call<unknown> => {
  const { video_id, speaker_id, candidates } = asked;
  if (!('named' in effect))
    return client.decisions.create(video_id, { decisions: [{ speaker_id, ...effect }] }, options);
  const audio_id = audioOf(asked, effect);
  const name = effect.named;
  if (audio_id !== null) return client.speakers.rename(audio_id, [{ speaker_id, name }], options);
  const mappings = candidates.slice(0, 1).map(({ face_id }) => ({ face_id, speaker_id, name }));
  return client.matches.commit(video_id, { mappings }, options);
};

/** Reverts the change that an answer made, by its position. */
export const undo = (
  client: MediaAnalysis,
  asked: Question,
  effect: Effect,
  position: string,
): Call<RevertedChange> => {
  const audio_id = audioOf(asked, effect);
  return audio_id === null ? client.videos.revert(asked.video_id, position) : client.audios.revert(audio_id, position);
};
