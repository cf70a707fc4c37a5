import * as t from 'io-ts';
import { type RecordedEvent, nullable } from '../domain/kernel/recorded-event.js';
import { AccountId, FaceId, SpeakerId } from '../domain/kernel/ids.js';
import { Timestamp } from '../domain/kernel/timestamp.js';
import type { VideoEvent } from '../domain/video/events.js';
import type { FaceAttributes, RuledOutEdit } from '../domain/video/changes.js';
import { type IdFollower, followFaces, followSpeakers } from '../domain/video/follow-matches.js';

/** A person's decision about a speaker and a face, or (without a face) that the speaker is not visible. */
export const LinkDecision = t.type(
  {
    speaker_id: SpeakerId,
    face_id: nullable(FaceId),
    verdict: t.keyof({ confirmed: null, rejected: null }),
    by: AccountId,
    at: Timestamp,
    position: t.string,
    via: t.keyof({ decision: null, put: null }),
  },
  'LinkDecision',
);
export type LinkDecision = t.TypeOf<typeof LinkDecision>;

type Decisions = ReadonlyArray<LinkDecision>;
type Faces = ReadonlyArray<Pick<FaceAttributes, 'speaker_id' | 'accuracy'> & { readonly id: FaceId }>;
type Origin = Pick<RecordedEvent<VideoEvent>, 'event' | 'position' | 'metadata'>;

const isLink = ({ face_id, verdict }: LinkDecision): boolean => face_id !== null && verdict === 'confirmed';

/** The decisions about present faces and speakers after an event; those about others are dropped. */
const followed = (decisions: Decisions, event: VideoEvent): Decisions => {
  const follow = followIn(event);
  if (follow === null) return decisions;
  return decisions.flatMap((decision) => {
    const speaker_id = follow.speaker(decision.speaker_id);
    const face_id = decision.face_id === null ? null : follow.face(decision.face_id);
    const isGone = speaker_id === null || (face_id === null && decision.face_id !== null);
    return isGone ? [] : [{ ...decision, speaker_id, face_id }];
  });
};

const followIn = (event: VideoEvent): IdFollower | null => {
  if (event.type === 'SpeakersRenumbered') return followSpeakers(event.data);
  return event.type === 'VideoAnalysisRecorded' ? followFaces(event.data) : null;
};

/** The decisions in force after an event. `faces` are those after it, `edits` what it ruled out. A match by a person has no accuracy. */
export const decisionsAfter = (
  decisions: Decisions,
  faces: Faces,
  edits: ReadonlyArray<RuledOutEdit>,
  { event, position, metadata }: Origin,
): Decisions => {
  const { account_id } = metadata.actor;
  const made = AccountId.is(account_id)
    ? {
        by: account_id,
        at: metadata.recorded_at,
        position,
        via: event.type === 'FacesMatched' ? ('put' as const) : ('decision' as const),
      }
    : null;
  const isEdited = ({ speaker_id, face_id }: LinkDecision): boolean =>
    edits.some((edit) => edit.speaker_id === speaker_id && edit.face_id === face_id);
  const linked = new Map(
    faces.flatMap(({ id, speaker_id, accuracy }) =>
      speaker_id === null || accuracy !== null ? [] : [[id, speaker_id] as const],
    ),
  );
  const present = new Set(faces.map(({ id }) => id));
  const stays = (decision: LinkDecision): boolean => {
    const { speaker_id, face_id } = decision;
    if (isLink(decision)) return face_id !== null && linked.get(face_id) === speaker_id;
    if (isEdited(decision)) return false;
    if (event.type === 'SpeakerWithdrawn') return speaker_id !== event.data.speaker_id;
    return event.type !== 'VideoAnalysisRecorded' || face_id === null || present.has(face_id);
  };
  const kept = followed(decisions, event).filter(stays);
  if (made === null) return kept;
  // Kept links belong to the face's present speaker.
  const known = new Set(kept.filter(isLink).map(({ face_id }) => face_id));
  return [
    ...kept,
    ...edits.flatMap(({ speaker_id, face_id, after }): Decisions =>
      after ? [{ speaker_id, face_id, verdict: face_id === null ? 'confirmed' : 'rejected', ...made }] : [],
    ),
    ...[...linked].flatMap(([face_id, speaker_id]): Decisions =>
      known.has(face_id) ? [] : [{ speaker_id, face_id, verdict: 'confirmed', ...made }],
    ),
  ];
};

const inOrder = (one: LinkDecision, other: LinkDecision): number =>
  one.position === other.position
    ? one.speaker_id - other.speaker_id || (one.face_id ?? Infinity) - (other.face_id ?? Infinity)
    : one.position < other.position
      ? -1
      : 1;

/** The effective decisions, oldest first. A confirmed link overrides a rejection of the same speaker and face. */
export const effectiveDecisions = (decisions: Decisions): Decisions => {
  const links = decisions.filter(isLink);
  const faceOf = new Map(links.map(({ speaker_id, face_id }) => [speaker_id, face_id]));
  return decisions
    .filter(
      (decision) =>
        isLink(decision) ||
        (decision.face_id === null
          ? !faceOf.has(decision.speaker_id)
          : faceOf.get(decision.speaker_id) !== decision.face_id),
    )
    .toSorted(inOrder);
};
