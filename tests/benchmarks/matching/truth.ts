import type { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import type { Clip } from './clips.js';
import type { HeardSpeaker } from './mixed-speakers.js';

export type Verdict = 'right' | 'wrong' | 'left_out';

export interface Truth {
  /** The number of links to be found. */
  readonly links: number;
  readonly offscreen: ReadonlySet<SpeakerId>;
  readonly verdict: (face: FaceId, speaker: SpeakerId) => Verdict;
}

/**
 * The truth about a clip. A link to a face that never speaks is wrong when the speaker is known not to be it, or is
 * never seen at all, and is left out of the count otherwise. A speaker that mixes people is right with the face of
 * each, wrong only with a face that is none of theirs, and never seen when none of them is.
 */
export const truthOf = (clip: Clip, speakers: readonly HeardSpeaker[]): Truth => {
  const faces = new Map(clip.faces.map((face) => [face.face_id, face]));
  const people = new Map(speakers.map((speaker) => [speaker.speaker_id, speaker.people]));
  const gold = new Set(clip.gold.map(({ face_id, speaker_id }) => `${face_id}:${speaker_id}`));
  const unseen = new Set(clip.offscreen_speakers);
  return {
    links: clip.gold.length,
    offscreen: new Set(speakers.filter((s) => s.people.every((p) => unseen.has(p))).map((s) => s.speaker_id)),
    verdict: (face, speaker) => {
      const persons = people.get(speaker) ?? [];
      if (persons.some((person) => gold.has(`${face}:${person}`))) return 'right';
      const seen = faces.get(face);
      if (seen?.kind !== 'silent') return 'wrong';
      const notThem = new Set(seen.not_speakers ?? []);
      return persons.every((person) => notThem.has(person) || unseen.has(person)) ? 'wrong' : 'left_out';
    },
  };
};
