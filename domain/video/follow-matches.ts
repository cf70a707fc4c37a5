import * as t from 'io-ts';
import { FaceId, type SpeakerId } from '../kernel/ids.js';
import { JsonObject } from '../kernel/recorded-event.js';
import { type Renumbering, followIds, renumberedAfter } from '../kernel/renumbering.js';
import type { SkippedMatch } from './events.js';
import type { RegisteredVideo } from './state.js';
import type { MatchCandidate, SuggestedMapping, SuggestionBlock, UnmatchedSpeaker } from './write-back.js';

/** Finds the present ids of faces and speakers: null for those that are gone. */
export interface IdFollower {
  readonly face: (face_id: FaceId) => FaceId | null;
  readonly speaker: (speaker_id: SpeakerId) => SpeakerId | null;
}

/** Follows the ids that the video used at a revision. */
export const followSince = ({ renumberings }: RegisteredVideo, revision: number): IdFollower => ({
  face: followIds(renumberedAfter(renumberings.faces, revision)),
  speaker: followIds(renumberedAfter(renumberings.speakers, revision)),
});

const stays = <Id>(id: Id): Id => id;

export const followFaces = (renumbering: Renumbering<FaceId>): IdFollower => ({
  face: followIds([renumbering]),
  speaker: stays,
});

export const followSpeakers = (renumbering: Renumbering<SpeakerId>): IdFollower => ({
  face: stays,
  speaker: followIds([renumbering]),
});

const RunnerUp = t.type({ face_id: FaceId });

/** Evidence in the embedded matcher's form names the second-best face. */
const followEvidence = (evidence: JsonObject, follow: IdFollower): JsonObject => {
  const { runner_up, ...rest } = evidence;
  if (!RunnerUp.is(runner_up) || !JsonObject.is(runner_up)) return evidence;
  const face_id = follow.face(runner_up.face_id);
  return face_id === null ? rest : { ...rest, runner_up: { ...runner_up, face_id } };
};

/** The matches between present faces and speakers, and those of which one is gone. */
export const followMatches = <Of extends Pick<SuggestedMapping, 'face_id' | 'speaker_id' | 'evidence'>>(
  matches: ReadonlyArray<Of>,
  follow: IdFollower,
): { readonly followed: ReadonlyArray<Of>; readonly skipped: ReadonlyArray<SkippedMatch> } => {
  const followed: Of[] = [];
  const skipped: SkippedMatch[] = [];
  for (const match of matches) {
    const [face_id, speaker_id] = [follow.face(match.face_id), follow.speaker(match.speaker_id)];
    const sent = { face_id: match.face_id, speaker_id: match.speaker_id };
    if (face_id === null) skipped.push({ ...sent, reason: 'face_discontinued' });
    else if (speaker_id === null) skipped.push({ ...sent, reason: 'speaker_discontinued' });
    else followed.push({ ...match, face_id, speaker_id, evidence: followEvidence(match.evidence, follow) });
  }
  return { followed, skipped };
};

const followCandidate = (candidate: MatchCandidate, follow: IdFollower): ReadonlyArray<MatchCandidate> => {
  const face_id = follow.face(candidate.face_id);
  const { matched_speaker_id: matched } = candidate;
  return face_id === null
    ? []
    : [{ ...candidate, face_id, matched_speaker_id: matched === null ? null : follow.speaker(matched) }];
};

export const followUnmatched = (
  speakers: ReadonlyArray<UnmatchedSpeaker>,
  follow: IdFollower,
): ReadonlyArray<UnmatchedSpeaker> =>
  speakers.flatMap((speaker) => {
    const speaker_id = follow.speaker(speaker.speaker_id);
    if (speaker_id === null) return [];
    const { candidates } = speaker;
    const followed = candidates?.flatMap((candidate) => followCandidate(candidate, follow));
    return [{ ...speaker, speaker_id, ...(followed === undefined ? {} : { candidates: followed }) }];
  });

/** A stored block after a renumbering. Of a match whose face or speaker is gone, the other one is unmatched. */
export const followBlock = (block: SuggestionBlock, follow: IdFollower): SuggestionBlock => {
  const { followed, skipped } = followMatches(block.mappings, follow);
  const faces = (ids: ReadonlyArray<FaceId>): ReadonlyArray<FaceId> => ids.flatMap((id) => follow.face(id) ?? []);
  return {
    ...block,
    mappings: followed,
    unmatched_speakers: [
      ...followUnmatched(block.unmatched_speakers, follow),
      ...skipped.flatMap(({ speaker_id, reason }): ReadonlyArray<UnmatchedSpeaker> => {
        const left = follow.speaker(speaker_id);
        return left === null ? [] : [{ speaker_id: left, reason }];
      }),
    ],
    unmatched_faces: [...faces(block.unmatched_faces), ...faces(skipped.map(({ face_id }) => face_id))],
  };
};
