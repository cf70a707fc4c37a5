import { type SpeakerId, VideoId } from '../../domain/kernel/ids.js';
import type { VideoCommand } from '../../domain/video/contract.js';
import { type StandingName, divergedNames } from '../../domain/video/link-faces.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import {
  type RegisteredAudio,
  type SpeakerChange,
  type WithdrawnSpeaker,
  lastRenumbering,
} from '../../domain/audio/state.js';
import { type RegisteredVideo, lastFollowed } from '../../domain/video/state.js';
import type { Folded, Aggregate, Fold } from '../commands/handle-command.js';
import type { NamesToReconcile } from './follow-ups.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { type RecordedEvent, type Position, streamCategory, streamId } from '../../domain/kernel/recorded-event.js';
import type { FollowUp, Uses } from '../application.js';
import type { Failure } from '../failures.js';

/** Whether the names in the event equal those of the audio. Later changes reconcile themselves. */
export const areEqual = ({ matched }: NamesToReconcile, { speakers }: RegisteredAudio): boolean => {
  if (matched === null) return false;
  const { for_faces, for_speakers, gone } = divergedNames(matched, speakers);
  return for_faces.length + for_speakers.length + gone.length === 0;
};

/** Groups names by date, oldest first. */
const byDate = (names: ReadonlyArray<StandingName>): ReadonlyArray<readonly [Timestamp, ReadonlyArray<StandingName>]> =>
  [...new Set(names.map(({ at }) => at))].sort().map((at) => [at, names.filter((name) => name.at === at)]);

/** The withdrawal of a speaker, if the audio still remembers it. */
const withdrawalOf = ({ turns, transcript }: RegisteredAudio['changes'], gone: SpeakerId): WithdrawnSpeaker | null => {
  const isIt = (change: SpeakerChange): change is WithdrawnSpeaker =>
    change.kind === 'withdrawn' && change.speaker_id === gone;
  return turns.findLast(isIt) ?? transcript.findLast(isIt) ?? null;
};

/** The commands that make the names of these speakers and their faces equal again. */
export const followUpsFor = (
  { speaker_ids }: NamesToReconcile,
  { state: video, revision: video_revision }: Folded<RegisteredVideo>,
  { state: audio, revision: audio_revision }: Folded<RegisteredAudio>,
  at: Timestamp,
): ReadonlyArray<FollowUp> => {
  const { video_id, faces, ruled_out } = video;
  const { audio_id, speakers } = audio;
  // After a renumbering, the ids in the event may belong to other speakers: all are compared then.
  const wasRenumbered = video.renumberings.speakers.length > 0;
  const isPartial = speaker_ids !== null && !wasRenumbered;
  const about = new Set(isPartial ? speaker_ids : [...faces.values()].map(({ speaker_id }) => speaker_id));
  const matched = [...faces.values()].flatMap(({ speaker_id, name, named_at, name_origin }) =>
    speaker_id !== null && about.has(speaker_id) ? [{ speaker_id, name, named_at, name_origin }] : [],
  );
  const { for_faces, for_speakers, gone } = divergedNames(matched, speakers);
  const names = [
    ...byDate(for_faces).map(([date, named]): FollowUp => ({
      to: 'videos',
      id: video_id,
      command: {
        type: 'FollowSpeakerNames',
        audio_id,
        audio_revision,
        speakers: named.map((speaker) => ({ ...speaker, claimed: false })),
        current: true,
        at: date,
      },
    })),
    ...byDate(for_speakers).map(([date, named]): FollowUp => ({
      to: 'audios',
      id: audio_id,
      command: {
        type: 'FollowFaceMatch',
        video_id,
        video_revision,
        renumbered_at: lastFollowed(video),
        speakers: named,
        at: date,
      },
    })),
  ];
  const decided = !isPartial ? [...ruled_out.keys()].filter((speaker_id) => !speakers.has(speaker_id)) : [];
  return [
    ...[...new Set([...gone, ...decided])].map((speaker_id): FollowUp => {
      const withdrawal = withdrawalOf(audio.changes, speaker_id);
      const heir = speakers.get(withdrawal?.merged_into ?? speaker_id) ?? null;
      const command: VideoCommand = {
        type: 'WithdrawSpeaker',
        audio_revision,
        speaker_id,
        name: withdrawal?.name ?? null,
        merged_into: heir,
        at: withdrawal?.at ?? at,
      };
      return { to: 'videos', id: video_id, command };
    }),
    ...(speaker_ids === null && !wasRenumbered ? [] : names),
  ];
};

export type Recorded = RecordedEvent<DomainEvent>;

/** A video or an audio that an event concerns. Of the event's own stream, the state of then will do. */
export const loaded = <State>(
  { load, streamOf }: Pick<Aggregate<never, State, DomainEvent, unknown>, 'load' | 'streamOf'>,
  { stream, revision }: Recorded,
  id: string,
): TE.TaskEither<Failure, Fold<State>> => load(id, stream === streamOf(id) ? revision : undefined);

/** The video of an event's stream: the video itself, or the parent of an audio. */
export const videoOf = (app: Uses<'audios'>, recorded: Recorded): TE.TaskEither<Failure, VideoId | null> => {
  const id = streamId(recorded.stream);
  return streamCategory(recorded.stream) === 'video'
    ? TE.right(VideoId.is(id) ? id : null)
    : pipe(
        loaded(app.audios, recorded, id),
        TE.map(({ state }) => (state._tag === 'Registered' ? state.video_id : null)),
      );
};

/**
 * Reconciles the names of faces and speakers. Concurrent changes of a video and its audio may leave a face and its speaker
 * with different names. Each change compares them after it is in the log, with everything before it, so the last one
 * finds any difference. Returns the necessary commands. `onRead`: called with the positions on which they are based.
 */
export const reconcileNames = (
  app: Uses<'videos' | 'audios'>,
  recorded: Recorded,
  names: NamesToReconcile | null,
  video_id: VideoId | null,
  onRead: (position: Position) => void,
): TE.TaskEither<Failure, ReadonlyArray<FollowUp>> => {
  if (names === null || video_id === null) return TE.right([]);
  return pipe(
    loaded(app.videos, recorded, video_id),
    TE.chain(({ state: video, revision, last }) =>
      video._tag !== 'Registered' || video.audio_id === null
        ? TE.right([])
        : pipe(
            loaded(app.audios, recorded, video.audio_id),
            TE.map(({ state: audio, ...read }): ReadonlyArray<FollowUp> => {
              if (audio._tag !== 'Registered' || areEqual(names, audio)) return [];
              // If the video has not followed a renumbering yet, the reaction to that compares all names.
              if (lastFollowed(video) !== lastRenumbering(audio)) return [];
              for (const event of [last, read.last]) if (event !== null) onRead(event.position);
              const found = { state: audio, revision: read.revision };
              return followUpsFor(names, { state: video, revision }, found, recorded.metadata.recorded_at);
            }),
          ),
    ),
  );
};
