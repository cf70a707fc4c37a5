import * as E from 'fp-ts/lib/Either.js';
import { nothing, record, refuse } from '../../kernel/decider.js';
import type { FaceId, SpeakerId } from '../../kernel/ids.js';
import type { DecideLinks, LinkDecision, AudioFacts, VideoDecision } from '../contract.js';
import type { VideoEvent, SkippedMatch } from '../events.js';
import {
  type FaceChange,
  type RuledOut,
  editsToReach,
  exceedsMaxRuledOut,
  maxRuledOut,
  clearRuledOut,
  isRuledOut,
} from '../changes.js';
import { type Face, type RegisteredVideo, laterThanAllNames, withoutSpeaker } from '../state.js';
import { adoptingLinks, linkFaces, checkKnown } from '../link-faces.js';
import type { Decided } from '../../matching/decided.js';

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

type Known = LinkDecision & { readonly speaker_id: SpeakerId; readonly face_id: FaceId | null };

/**
 * Removes duplicates. Left: the first decision that contradicts another one. A speaker and a face have at most one
 * confirmed link, a pair at most one verdict.
 */
const distinct = (decisions: ReadonlyArray<LinkDecision>): E.Either<LinkDecision, ReadonlyArray<LinkDecision>> => {
  const speakers = new Set<number>();
  const faces = new Set<number>();
  const pairs = new Map<string, LinkDecision>();
  for (const decision of decisions) {
    const { speaker_id, face_id, verdict } = decision;
    const pair = `${speaker_id}/${face_id}`;
    const before = pairs.get(pair);
    if (before?.verdict === verdict) continue;
    const isTaken = verdict === 'confirmed' && (speakers.has(speaker_id) || (face_id !== null && faces.has(face_id)));
    if (before !== undefined || isTaken) return E.left(decision);
    pairs.set(pair, decision);
    if (verdict === 'rejected') continue;
    speakers.add(speaker_id);
    if (face_id !== null) faces.add(face_id);
  }
  return E.right([...pairs.values()]);
};

/** Faces that lose their speaker: the pair was rejected, or the speaker is not visible. */
const unlinkedFaces = (
  faces: RegisteredVideo['faces'],
  decisions: ReadonlyArray<Known>,
  settled: ReadonlySet<FaceId>,
): ReadonlyArray<Face> => {
  const unseen = new Set(decisions.flatMap(({ face_id, speaker_id }) => (face_id === null ? [speaker_id] : [])));
  const parted = new Set(
    decisions.flatMap(({ face_id, speaker_id, verdict }) =>
      verdict === 'rejected' && face_id !== null && faces.get(face_id)?.speaker_id === speaker_id ? [face_id] : [],
    ),
  );
  return [...faces.values()].filter(
    ({ face_id, speaker_id }) =>
      speaker_id !== null && !settled.has(face_id) && (unseen.has(speaker_id) || parted.has(face_id)),
  );
};

/** The matches that the decisions create and remove. */
const faceChanges = (
  state: RegisteredVideo,
  decisions: ReadonlyArray<Known>,
  audio: AudioFacts,
): ReadonlyArray<FaceChange> => {
  const links = adoptingLinks(
    state.faces,
    decisions.flatMap(({ speaker_id, face_id, verdict }) =>
      face_id === null || verdict === 'rejected' ? [] : [{ face_id, speaker_id, accuracy: null }],
    ),
    audio,
  );
  const linked = linkFaces(state.faces, links);
  const settled = new Set([...links, ...linked].map(({ face_id }) => face_id));
  return [...linked, ...unlinkedFaces(state.faces, decisions, settled).map(withoutSpeaker)];
};

/** POST speaker-face-match/decisions (contract, Decisions of people). */
export const decideLinks = (
  state: RegisteredVideo,
  { decisions, audio, at }: DecideLinks,
): VideoDecision<'DecideLinks'> => {
  if (decisions.length === 0) return refuse({ _tag: 'EmptyDecisions' });
  const each = distinct(decisions);
  if (E.isLeft(each)) {
    const { speaker_id, face_id } = each.left;
    return refuse({ _tag: 'DuplicateDecision', speaker_id, face_id });
  }
  const { audio_id } = state;
  if (audio_id === null || audio === null) return refuse({ _tag: 'AudioMissing' });
  if (state.status !== 'completed') return refuse({ _tag: 'VideoUnprocessed', status: state.status });
  const known = checkKnown(each.right, state.faces, audio.speakers);
  if (E.isLeft(known)) return known;
  const changes = faceChanges(state, known.right, audio);
  const ruled_out = editsToReach(
    state.ruled_out,
    known.right.flatMap(({ speaker_id, face_id, verdict }) =>
      verdict === 'confirmed' && face_id !== null
        ? clearRuledOut({ speaker_id, face_id })
        : [{ speaker_id, face_id, after: true }],
    ),
  );
  if (exceedsMaxRuledOut(state.ruled_out, ruled_out)) return refuse({ _tag: 'TooManyDecisions', most: maxRuledOut });
  if (changes.length === 0 && ruled_out.length === 0) return nothing;
  return record<VideoEvent>({
    type: 'LinksDecided',
    data: { audio_id, changes, ruled_out, at: laterThanAllNames(at, state.faces, audio) },
  });
};
