import { type AudioEvent, audioEvents } from '../../domain/audio/events.js';
import { type DomainEvent, storedVersions } from '../../domain/event-catalogue.js';
import { type RecordedEvent, isEventOf, streamCategory, streamId } from '../../domain/kernel/recorded-event.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import { type NameInferenceEvent, nameInferenceEvents } from '../../domain/name-inference/contract.js';
import { type RealtimeCapacityEvent, realtimeCapacityEvents } from '../../domain/realtime-capacity/contract.js';
import { type RealtimeSessionEvent, realtimeSessionEvents } from '../../domain/realtime-session/contract.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { matchedNamesAfter } from '../../domain/video/link-faces.js';
import { type VideoEvent, videoEvents } from '../../domain/video/events.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { FollowUp } from '../application.js';
import type { EventFilter } from '../ports/event-store.js';
import {
  type NamesToReconcile,
  followRenumbering,
  forgetAudio,
  detachAudio,
  revertOnAudio,
  renameMatchedFaces,
  moveFacesOfMergedSpeaker,
  renameMatchedSpeakers,
  revertOnVideo,
  namesOfFaces,
  namesOfSpeakers,
  missingSpeakers,
  chargeInference,
  releaseSession,
  chargeMetering,
  bookAnswer,
  startRun,
  noteRevert,
} from './follow-ups.js';

/** The reactions to events of one type. */
interface Row<Event, Id> {
  /** Commands to other streams. */
  readonly follow?: (event: Event, id: Id, revision: number) => ReadonlyArray<FollowUp>;
  /** For events of an audio: commands to the parent video, if it has one. */
  readonly onVideo?: (event: Event, id: Id, revision: number, at: Timestamp) => ReadonlyArray<VideoCommand>;
  /** Faces and speakers whose names may differ now and must be reconciled; null: none. */
  readonly names?: (event: Event) => NamesToReconcile | null;
}

type ByType<Event extends { readonly type: string }> = { readonly [One in Event as One['type']]: One };
type Rows<Events, Id> = { readonly [Type in keyof Events]?: Row<Events[Type], Id> };

/** The rows by stream category. */
interface Reactions {
  readonly video: Rows<ByType<VideoEvent>, VideoId>;
  readonly audio: Rows<ByType<AudioEvent>, AudioId>;
  readonly nameInference: Rows<ByType<NameInferenceEvent>, string>;
  readonly realtimeSession: Rows<ByType<RealtimeSessionEvent>, string>;
  readonly realtimeCapacity: Rows<ByType<RealtimeCapacityEvent>, string>;
}

/** The reactions to each event, by the category of its stream and its type. */
const reactions: Reactions = {
  video: {
    AudioAssociated: {
      follow: ({ data }, video_id) => [
        { to: 'audios', id: data.audio_id, command: { type: 'RegisterAudio', video_id, ...data } },
      ],
    },
    FacesMatched: {
      follow: ({ data }, id, revision) => renameMatchedSpeakers(data, id, revision),
      names: namesOfFaces,
    },
    LinksDecided: { names: namesOfFaces },
    MatchRunQueued: { follow: ({ data }, id, revision) => startRun(data, id, revision) },
    SuggestionsStored: { follow: bookAnswer },
    MatchesCommitted: { follow: bookAnswer, names: namesOfFaces },
    MatchRunFailed: { follow: bookAnswer, names: namesOfFaces },
    MatchRunReverted: {
      follow: ({ data }, id, revision) => noteRevert(data.run_id, id, { faces: data.changes, at: data.at }, revision),
      names: namesOfFaces,
    },
    VideoChangeReverted: {
      follow: ({ data }, id, revision) => [
        ...revertOnAudio(data, id, revision),
        ...noteRevert(data.run_id, id, data, revision),
      ],
      names: namesOfFaces,
    },
    // Faces that were moved from the withdrawn speaker to another.
    SpeakerWithdrawn: { names: (event) => namesOfSpeakers(matchedNamesAfter(event)) },
    MediumErased: { follow: ({ data }, video_id) => detachAudio(data, video_id) },
  },
  audio: {
    AudioAttached: {
      follow: ({ data }, audio_id) => [
        { to: 'videos', id: data.video_id, command: { type: 'RegisterVideo', audio_id, ...data } },
      ],
    },
    AudioAnalysisRecorded: {
      onVideo: ({ data }, id, revision, at) => followRenumbering(data, id, revision, at),
      names: missingSpeakers,
    },
    SpeakersRenamed: {
      onVideo: ({ data }, id, revision) =>
        data.cause.kind === 'request' ? [renameMatchedFaces(data, id, revision)] : [],
      names: ({ data }) => namesOfSpeakers(data.speakers),
    },
    NamesInferred: {
      onVideo: ({ data: { renamed, at } }, id, revision) =>
        renamed.length === 0 ? [] : [renameMatchedFaces({ speakers: renamed, at }, id, revision)],
      names: ({ data }) => namesOfSpeakers(data.renamed),
    },
    SpeakersMerged: {
      onVideo: ({ data }, id, revision) => moveFacesOfMergedSpeaker(data, id, revision),
      names: ({ data }) => namesOfSpeakers(data.renamed === null ? [] : [data.renamed]),
    },
    SpeakerDeleted: {
      onVideo: ({ data: { removed, at } }, _id, audio_revision) => {
        const { speaker_id, name } = removed;
        return [{ type: 'WithdrawSpeaker', audio_revision, speaker_id, name, merged_into: null, at }];
      },
    },
    MediumErased: { follow: ({ data }, audio_id) => forgetAudio(data, audio_id) },
    AudioChangeReverted: { onVideo: ({ data }, id, revision) => revertOnVideo(data, id, revision) },
  },
  nameInference: {
    NameInferenceAnswered: { follow: ({ data }) => chargeInference(data) },
  },
  realtimeSession: {
    RealtimeSessionMetered: { follow: ({ data }) => chargeMetering(data) },
    RealtimeSessionEnded: { follow: ({ data }) => releaseSession(data) },
  },
  realtimeCapacity: {
    RealtimeSlotLapsed: {
      follow: ({ data: { session_id, at } }) => [
        {
          to: 'realtimeSessions',
          id: session_id,
          command: { type: 'EndSession', reason: 'expired', used_until: null, at },
        },
      ],
    },
  },
};

/** Selects the events that have reactions. */
export const reactionFilter: EventFilter = {
  categories: Object.keys(reactions),
  types: Object.values<object>({ ...reactions }).flatMap((rows) => Object.keys(rows).flatMap(storedVersions)),
};

/** The reactions to one event, before other streams are read. */
export interface Reaction {
  readonly follow: ReadonlyArray<FollowUp>;
  readonly onVideo: ReadonlyArray<VideoCommand>;
  readonly names: NamesToReconcile | null;
}

const nothing: Reaction = { follow: [], onVideo: [], names: null };

const rowOf = <Events, Type extends keyof Events, Id>(
  rows: Rows<Events, Id>,
  type: Type,
  event: Events[Type],
  id: Id,
  revision: number,
  at: Timestamp,
): Reaction => {
  const row: Row<Events[Type], Id> = rows[type] ?? {};
  return {
    follow: row.follow?.(event, id, revision) ?? [],
    onVideo: row.onVideo?.(event, id, revision, at) ?? [],
    names: row.names?.(event) ?? null,
  };
};

export const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);
const isInferenceEvent = isEventOf(nameInferenceEvents);
const isSessionEvent = isEventOf(realtimeSessionEvents);
const isCapacityEvent = isEventOf(realtimeCapacityEvents);

/** The reactions to an event, from the table. */
export const reactionTo = ({ event, stream, revision, metadata }: RecordedEvent<DomainEvent>): Reaction => {
  const id = streamId(stream);
  const category = streamCategory(stream);
  const at = metadata.recorded_at;
  if (isVideoEvent(event) && category === 'video')
    return VideoId.is(id) ? rowOf(reactions.video, event.type, event, id, revision, at) : nothing;
  if (isAudioEvent(event) && category === 'audio')
    return AudioId.is(id) ? rowOf(reactions.audio, event.type, event, id, revision, at) : nothing;
  if (isInferenceEvent(event)) return rowOf(reactions.nameInference, event.type, event, id, revision, at);
  if (isSessionEvent(event)) return rowOf(reactions.realtimeSession, event.type, event, id, revision, at);
  if (isCapacityEvent(event)) return rowOf(reactions.realtimeCapacity, event.type, event, id, revision, at);
  return nothing;
};

/** The commands of a reaction, in order. `video_id`: the parent video of the event's audio, if any. */
export const followUpsOf = ({ follow, onVideo }: Reaction, video_id: VideoId | null): ReadonlyArray<FollowUp> => [
  ...follow,
  ...(video_id === null ? [] : onVideo.map((command): FollowUp => ({ to: 'videos', id: video_id, command }))),
];
