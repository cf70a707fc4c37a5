import type { FaceId, SpeakerId } from '../kernel/ids.js';
import type { Interval } from '../kernel/interval.js';
import type { JsonObject } from '../kernel/json.js';
import type { Link } from './assignment.js';
import { coOccurrence } from './co-occurrence.js';
import { evidenceOf } from './evidence.js';
import { type Matrix, tabulate } from './matrix.js';
import { matchByName, nameMatchAccuracy } from './name-channel.js';
import { timelineOf } from './timeline.js';
import { type UnmatchedReason, unmatchedReason } from './unmatched-reason.js';

/** A face with the times at which it is visible, and, where known, how much it seems to talk, from 0 to 1. */
export interface FaceTrack {
  readonly face_id: FaceId;
  readonly name: string | null;
  readonly tracks: readonly Interval[];
  readonly talking: readonly { readonly start: number; readonly end: number; readonly score: number }[];
  readonly captions: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

export interface SpeakerTurns {
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
  readonly turns: readonly Interval[];
}

/** Face ids are unique, and so are speaker ids. `target_speaker_ids` null: all speakers. */
export interface MatchInput {
  readonly faces: readonly FaceTrack[];
  readonly speakers: readonly SpeakerTurns[];
  readonly target_speaker_ids: readonly SpeakerId[] | null;
}

/** `accuracy` is the probability that the match is right, as measured on public clips with known answers. */
export interface ProposedMatch {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number;
  readonly channel: 'name' | 'co_occurrence';
  readonly evidence: JsonObject;
}

export interface MatchResult {
  readonly matches: readonly ProposedMatch[];
  readonly unmatched_speakers: readonly { readonly speaker_id: SpeakerId; readonly reason: UnmatchedReason }[];
  readonly unmatched_faces: readonly FaceId[];
}

/** 1 for pairs that may belong together: a named pair alone, and everyone else among themselves. */
const possiblePairs = (rows: number, columns: number, named: readonly Link[]): Matrix => {
  const faceOf = new Map(named.map(({ row, column }) => [row, column]));
  const taken = new Set(faceOf.values());
  return tabulate(rows, columns, (row, column) => {
    const own = faceOf.get(row);
    return (own === undefined ? !taken.has(column) : own === column) ? 1 : 0;
  });
};

/**
 * Which face is which speaker. Equal real names decide first; everyone else is matched by when they speak and are
 * seen, at most one face to a speaker and the other way round, or to nobody. Speakers who are no target compete for
 * faces like the others, so that a target never gets a face that is more likely somebody else's, but they are not
 * reported: a face that such a speaker wins is listed as unmatched.
 * The answer does not depend on the input's order.
 */
export const matchSpeakersToFaces = (input: MatchInput): MatchResult => {
  const faces = [...input.faces].sort((a, b) => a.face_id - b.face_id);
  const speakers = [...input.speakers].sort((a, b) => a.speaker_id - b.speaker_id);
  const targets = new Set(input.target_speaker_ids ?? speakers.map(({ speaker_id }) => speaker_id));
  const timeline = timelineOf(speakers, faces);
  const named = matchByName(faces, speakers).map(({ face_id, speaker_id }) => ({
    row: speakers.findIndex((speaker) => speaker.speaker_id === speaker_id),
    column: faces.findIndex((face) => face.face_id === face_id),
  }));
  const found = coOccurrence(timeline, possiblePairs(speakers.length, faces.length, named));
  const namedRows = new Set(named.map(({ row }) => row));
  const links = [...named, ...found.links.filter(({ row }) => !namedRows.has(row))];
  const matches = links.flatMap((link): readonly ProposedMatch[] => {
    const [speaker, face, byName] = [speakers[link.row], faces[link.column], namedRows.has(link.row)];
    if (speaker === undefined || face === undefined || !targets.has(speaker.speaker_id)) return [];
    const { accuracy, evidence } = evidenceOf(link, timeline, found, faces);
    const { speaker_id } = speaker;
    return byName
      ? [{ face_id: face.face_id, speaker_id, accuracy: nameMatchAccuracy, channel: 'name', evidence }]
      : [{ face_id: face.face_id, speaker_id, accuracy, channel: 'co_occurrence', evidence }];
  });
  const matchedSpeakers = new Set(matches.map(({ speaker_id }) => speaker_id));
  const matchedFaces = new Set(matches.map(({ face_id }) => face_id));
  return {
    matches: matches.sort((a, b) => a.speaker_id - b.speaker_id),
    unmatched_speakers: speakers.flatMap(({ speaker_id }, row) =>
      !targets.has(speaker_id) || matchedSpeakers.has(speaker_id)
        ? []
        : [{ speaker_id, reason: unmatchedReason(row, timeline, found) }],
    ),
    unmatched_faces: faces.map(({ face_id }) => face_id).filter((face_id) => !matchedFaces.has(face_id)),
  };
};
