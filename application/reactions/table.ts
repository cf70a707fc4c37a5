import { type AudioEvent, audioEvents } from '../../domain/audio/events.js';
import { type DomainEvent, storedVersions } from '../../domain/event-catalogue.js';
import { isEventOf } from '../../domain/kernel/event-codecs.js';
import { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { type NameInferenceEvent, nameInferenceEvents } from '../../domain/name-inference/contract.js';
import { type RealtimeCapacityEvent, realtimeCapacityEvents } from '../../domain/realtime-capacity/contract.js';
import { type RealtimeSessionEvent, realtimeSessionEvents } from '../../domain/realtime-session/contract.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { type VideoEvent, videoEvents } from '../../domain/video/events.js';
import type { EventFilter } from '../ports/event-store.js';
import { ofErasedAudio, ofErasedVideo } from './erasure.js';
import { audiosPart, facesFollow, facesOfMerged, speakersFollow, videosPart } from './between-records.js';
import { ofAnsweredInference, ofEndedSession, ofMetering } from './charges.js';
import { type ChangedNames, ofFaces, ofSpeakers, ofWithdrawn, whetherGone } from './changed-names.js';
import { type FollowUp } from './follow-up.js';
import { ofAnswer, ofQueued, ofUndone } from './match-runs.js';
import { streamCategory, streamId } from '../../domain/kernel/stream-name.js';

/** What events of one type make necessary elsewhere. */
interface Row<Event, Id> {
  /** Commands to other streams. */
  readonly follow?: (event: Event, id: Id, revision: number) => ReadonlyArray<FollowUp>;
  /** Commands to the video that an audio belongs to; there are none to be given when it belongs to none. */
  readonly onVideo?: (event: Event, id: Id, revision: number) => ReadonlyArray<VideoCommand>;
  /** Faces and speakers that may have two names now; null: none. */
  readonly names?: (event: Event) => ChangedNames | null;
}

type ByType<Event extends { readonly type: string }> = { readonly [One in Event as One['type']]: One };
type Rows<Events, Id> = { readonly [Type in keyof Events]?: Row<Events[Type], Id> };

/** The rows of each category of streams. */
interface Reactions {
  readonly video: Rows<ByType<VideoEvent>, VideoId>;
  readonly audio: Rows<ByType<AudioEvent>, AudioId>;
  readonly nameInference: Rows<ByType<NameInferenceEvent>, string>;
  readonly realtimeSession: Rows<ByType<RealtimeSessionEvent>, string>;
  readonly realtimeCapacity: Rows<ByType<RealtimeCapacityEvent>, string>;
}

/** What follows from which event: by the category of its stream, then by its type. */
const reactions: Reactions = {
  video: {
    AudioAssociated: {
      follow: ({ data }, video_id) => [
        { to: 'audio', id: data.audio_id, command: { type: 'RegisterAudio', video_id, ...data } },
      ],
    },
    FacesMatched: { follow: ({ data }, id, revision) => speakersFollow(data, id, revision), names: ofFaces },
    LinksDecided: { names: ofFaces },
    MatchRunQueued: { follow: ({ data }, id, revision) => ofQueued(data, id, revision) },
    SuggestionsStored: { follow: ofAnswer },
    MatchesCommitted: { follow: ofAnswer, names: ofFaces },
    MatchRunFailed: { follow: ofAnswer, names: ofFaces },
    MatchRunReverted: {
      follow: ({ data }, id, revision) => ofUndone(data.run_id, id, { faces: data.changes, at: data.at }, revision),
      names: ofFaces,
    },
    VideoChangeReverted: {
      follow: ({ data }, id, revision) => [
        ...audiosPart(data, id, revision),
        ...ofUndone(data.run_id, id, data, revision),
      ],
      names: ofFaces,
    },
    SpeakerWithdrawn: { names: ofWithdrawn },
    MediumErased: { follow: ({ data }, video_id) => ofErasedVideo(data, video_id) },
  },
  audio: {
    AudioAttached: {
      follow: ({ data }, audio_id) => [
        { to: 'video', id: data.video_id, command: { type: 'RegisterVideo', audio_id, ...data } },
      ],
    },
    AudioAnalysisRecorded: { names: whetherGone },
    SpeakersRenamed: {
      onVideo: ({ data }, id, revision) => (data.cause.kind === 'request' ? [facesFollow(data, id, revision)] : []),
      names: ({ data }) => ofSpeakers(data.speakers),
    },
    NamesInferred: {
      onVideo: ({ data: { renamed, at } }, id, revision) =>
        renamed.length === 0 ? [] : [facesFollow({ speakers: renamed, at }, id, revision)],
      names: ({ data }) => ofSpeakers(data.renamed),
    },
    SpeakersMerged: {
      onVideo: ({ data }, id, revision) => facesOfMerged(data, id, revision),
      names: ({ data }) => ofSpeakers(data.renamed === null ? [] : [data.renamed]),
    },
    SpeakerDeleted: {
      onVideo: ({ data: { removed, at } }) => [
        { type: 'WithdrawSpeaker', speaker_id: removed.speaker_id, name: removed.name, merged_into: null, at },
      ],
    },
    MediumErased: { follow: ({ data }, audio_id) => ofErasedAudio(data, audio_id) },
    AudioChangeReverted: { onVideo: ({ data }, id, revision) => videosPart(data, id, revision) },
  },
  nameInference: {
    NameInferenceAnswered: { follow: ({ data }) => ofAnsweredInference(data) },
  },
  realtimeSession: {
    RealtimeSessionMetered: { follow: ({ data }) => ofMetering(data) },
    RealtimeSessionEnded: { follow: ({ data }) => ofEndedSession(data) },
  },
  realtimeCapacity: {
    RealtimeSlotLapsed: {
      follow: ({ data: { session_id, at } }) => [
        {
          to: 'realtimeSession',
          id: session_id,
          command: { type: 'EndSession', reason: 'expired', used_until: null, at },
        },
      ],
    },
  },
};

/** The events from which anything follows. */
export const withReactions: EventFilter = {
  categories: Object.keys(reactions),
  types: Object.values<object>({ ...reactions }).flatMap((rows) => Object.keys(rows).flatMap(storedVersions)),
};

/** What an event makes necessary, as far as it tells by itself. */
export interface Reaction {
  readonly follow: ReadonlyArray<FollowUp>;
  readonly onVideo: ReadonlyArray<VideoCommand>;
  readonly names: ChangedNames | null;
}

const nothing: Reaction = { follow: [], onVideo: [], names: null };

const rowOf = <Events, Type extends keyof Events, Id>(
  rows: Rows<Events, Id>,
  type: Type,
  event: Events[Type],
  id: Id,
  revision: number,
): Reaction => {
  const row: Row<Events[Type], Id> = rows[type] ?? {};
  return {
    follow: row.follow?.(event, id, revision) ?? [],
    onVideo: row.onVideo?.(event, id, revision) ?? [],
    names: row.names?.(event) ?? null,
  };
};

export const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);
const isInferenceEvent = isEventOf(nameInferenceEvents);
const isSessionEvent = isEventOf(realtimeSessionEvents);
const isCapacityEvent = isEventOf(realtimeCapacityEvents);

/** Looks an event up in the table. */
export const reactionTo = ({ event, stream, revision }: RecordedEvent<DomainEvent>): Reaction => {
  const id = streamId(stream);
  const category = streamCategory(stream);
  if (isVideoEvent(event) && category === 'video')
    return VideoId.is(id) ? rowOf(reactions.video, event.type, event, id, revision) : nothing;
  if (isAudioEvent(event) && category === 'audio')
    return AudioId.is(id) ? rowOf(reactions.audio, event.type, event, id, revision) : nothing;
  if (isInferenceEvent(event)) return rowOf(reactions.nameInference, event.type, event, id, revision);
  if (isSessionEvent(event)) return rowOf(reactions.realtimeSession, event.type, event, id, revision);
  if (isCapacityEvent(event)) return rowOf(reactions.realtimeCapacity, event.type, event, id, revision);
  return nothing;
};

/** The commands of a reaction, in order; `video_id`: the video that the event's audio belongs to, if any. */
export const followUpsOf = ({ follow, onVideo }: Reaction, video_id: VideoId | null): ReadonlyArray<FollowUp> => [
  ...follow,
  ...(video_id === null ? [] : onVideo.map((command): FollowUp => ({ to: 'video', id: video_id, command }))),
];
