import { type CallOptions, type MediaAnalysis, type Question, RevisionChangedError } from '../../client/index.js';
import { faceName, speakerName } from '../video/lanes.js';
import { type Choice, choicesOf } from './choices.js';

/** What was decided between a question and its answer makes another question of it: what now stands, in words. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
  readonly standing: ReadonlyArray<string>;
  constructor(standing: ReadonlyArray<string>) {
    super(standing.join(' '));
    this.standing = standing;
  }
}

const attempts = 5;

export const isSameQuestion = (one: Question, other: Question | undefined): boolean =>
  other !== undefined &&
  one.kind === other.kind &&
  one.video_id === other.video_id &&
  one.speaker_id === other.speaker_id;

/** The revision of the record that the answer writes to, and whether the question, asked after it, still has this answer. */
const lookAgain = async (client: MediaAnalysis, asked: Question, { id, record }: Choice) => {
  const { video_id, audio_id } = asked;
  const read = record === 'audio' && audio_id !== null ? client.audios.get(audio_id) : client.videos.get(video_id);
  const { response } = await read.withResponse();
  let isOpen = false;
  for await (const question of client.review.list({ video_id }))
    if (isSameQuestion(asked, question)) isOpen = choicesOf(question).some((one) => one.id === id);
  return { revision: response.revision, isOpen };
};

/** What stands of the speaker, and of the faces that were offered. */
const standingOf = async (client: MediaAnalysis, { video_id, audio_id, speaker_id, candidates }: Question) => {
  const [{ faces }, audio, { decisions }] = await Promise.all([
    client.videos.get(video_id),
    audio_id === null ? null : client.audios.get(audio_id),
    client.decisions.list(video_id),
  ]);
  const speakerOf = (id: number): string =>
    speakerName(id, audio?.speakers.find((speaker) => speaker.speaker_id === id)?.name);
  const faceOf = (id: number): string => faceName(id, faces.find((face) => face.id === id)?.name ?? null);
  return decisions
    .filter((one) => one.speaker_id === speaker_id || candidates.some(({ face_id }) => face_id === one.face_id))
    .map(({ speaker_id: speaker, face_id, verdict, by }) => {
      const is = verdict === 'confirmed' ? 'is' : 'is not';
      return `${speakerOf(speaker)} ${face_id === null ? 'is not to be seen' : `${is} ${faceOf(face_id)}`}, says ${by}.`;
    });
};

/**
 * Stores an answer if its question still is the one that was asked: what others decided about it meanwhile is never
 * overwritten in silence. Answers the position of what was written, and fails as `Overtaken` where there is a choice to make.
 */
export const storeAnswer = async (client: MediaAnalysis, asked: Question, choice: Choice): Promise<string | null> => {
  for (let left = attempts; left > 0; left -= 1) {
    const { revision, isOpen } = await lookAgain(client, asked, choice);
    if (!isOpen) break;
    try {
      return await writeAnswer(client, choice, revision === null ? {} : { ifMatch: revision });
    } catch (reason) {
      // Something else of the record may have changed: then the answer stands as it was meant.
      if (!(reason instanceof RevisionChangedError)) throw reason;
    }
  }
  throw new Overtaken(await standingOf(client, asked));
};

/** Stores it whatever others decided. Answers the position of what was written. */
export const writeAnswer = async (client: MediaAnalysis, choice: Choice, options: CallOptions = {}) => {
  const { response } = await choice.write(client, options).withResponse();
  return response.position;
};
