import type { FaceId, SpeakerId } from '../kernel/ids.js';
import type { Decided } from '../matching/decided.js';
import { type RuledOut, isRuledOut } from './ruled-out.js';
import type { SkippedMatch } from './events.js';
import type { Face } from './state.js';

type Faces = ReadonlyMap<FaceId, Face>;

interface Pair {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}

/** The matches made by people, ordered by face. They have no accuracy. */
export const confirmedLinks = (faces: Faces): ReadonlyArray<Pair> =>
  [...faces.values()]
    .flatMap(({ face_id, speaker_id, accuracy }) =>
      speaker_id === null || accuracy !== null ? [] : [{ face_id, speaker_id }],
    )
    .sort((one, other) => one.face_id - other.face_id);

/** All decisions of people about links. A confirmed link overrides a rejection of the same pair. */
export const decidedLinks = (faces: Faces, ruled: RuledOut): Decided => {
  const confirmed = confirmedLinks(faces);
  const linked = new Map(confirmed.map(({ face_id, speaker_id }) => [speaker_id, face_id]));
  return {
    confirmed,
    unseen: [...ruled].flatMap(([speaker_id, ruledFaces]) =>
      ruledFaces.has(null) && !linked.has(speaker_id) ? [speaker_id] : [],
    ),
    rejected: [...ruled].flatMap(([speaker_id, ruledFaces]) =>
      [...ruledFaces].flatMap((face_id) =>
        face_id === null || linked.get(speaker_id) === face_id ? [] : [{ face_id, speaker_id }],
      ),
    ),
  };
};

/** Drops matches that a person has already made. These stay without accuracy. */
export const withoutConfirmed = <Match extends Pair>(
  faces: Faces,
  matches: ReadonlyArray<Match>,
): ReadonlyArray<Match> =>
  matches.filter(({ face_id, speaker_id }) => {
    const face = faces.get(face_id);
    return face?.speaker_id !== speaker_id || face.accuracy !== null;
  });

/** Splits matches into those that agree with people's decisions and those that do not, each with the reason. */
export const splitByDecisions = <Match extends Pair>(
  faces: Faces,
  ruled: RuledOut,
  matches: ReadonlyArray<Match>,
): {
  readonly kept: ReadonlyArray<Match>;
  readonly skipped: ReadonlyArray<SkippedMatch>;
} => {
  const confirmed = confirmedLinks(faces);
  const speakerOf = new Map(confirmed.map(({ face_id, speaker_id }) => [face_id, speaker_id]));
  const faceOf = new Map(confirmed.map(({ face_id, speaker_id }) => [speaker_id, face_id]));
  const reasonAgainst = ({ face_id, speaker_id }: Pair): SkippedMatch['reason'] | null => {
    const [face, speaker] = [faceOf.get(speaker_id), speakerOf.get(face_id)];
    if (face !== undefined) return face === face_id ? null : 'speaker_confirmed';
    if (speaker !== undefined) return 'face_confirmed';
    if (isRuledOut(ruled, speaker_id, null)) return 'speaker_not_seen';
    return isRuledOut(ruled, speaker_id, face_id) ? 'pair_rejected' : null;
  };
  const judged = matches.map((match) => ({ match, reason: reasonAgainst(match) }));
  return {
    kept: judged.flatMap(({ match, reason }) => (reason === null ? [match] : [])),
    skipped: judged.flatMap(({ match: { face_id, speaker_id }, reason }) =>
      reason === null ? [] : [{ face_id, speaker_id, reason }],
    ),
  };
};
